// swift-format-ignore-file
//
//  Hooks.swift
//
//  Overrides, validators and computed properties in extensions, of classes in other files and of the model.

import CoreData
import Foundation

private let standardPages: Int32 = 16

// MARK: - A class in another file

extension EBook {

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(standardPages, forKey: #keyPath(EBook.pages))
    }

    open override func validateForUpdate() throws {
        try super.validateForUpdate()
        guard edition >= 0 else { throw NSError(domain: "EBook", code: 3) }
    }

    @objc private func validatePages(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let pages = value.pointee as? NSNumber, pages.int32Value > 5_000 else { return }
        throw NSError(domain: "EBook", code: 4)
    }

    #if canImport(UIKit)
    @objc var thumbnail: UIImage? { return nil }
    #else
    @objc public var length: String { return pages > 300 ? "long" : "short" }
    #endif

    public override var description: String { return "EBook \(title ?? "-")" }
}

// MARK: - Classes of the model, and a subclass of one of them

extension Item {

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        id = UUID()
        journal.append("item")
    }
}

extension Book {

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        journal.append("book")
    }
}

public extension Shelf {

    override func willSave() {
        super.willSave()
        if hasChanges, name == nil { setPrimitiveValue("Unnamed", forKey: "name") }
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        journal.append("deleted \(label)")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        journal.append("fault")
    }

    @objc var label: String { return (name ?? "").uppercased() }

    @objc func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        if (value.pointee as? String) == "?" { throw NSError(domain: "Shelf", code: 1) }
    }
}

/// What the hooks did.
nonisolated(unsafe) public var journal: [String] = []
