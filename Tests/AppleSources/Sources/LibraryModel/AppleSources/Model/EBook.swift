// swift-format-ignore-file
//
//  EBook.swift
//

import CoreData.CoreDataDefines
import Foundation

/// Without a name for Objective-C; the validator must be called all the same.
public class EBook: NSManagedObject {

    @NSManaged public var title: String?
    @NSManaged public var primitiveType: String?
    @available(macOS 10.15, iOS 13, *) @NSManaged public var pages, edition: Int32
    @NSManaged public var reader: Reader?

    /// Sections are named by it.
    @objc public var initial: String { String((title ?? "").prefix(1)).uppercased() }

    @objc public func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let title = value.pointee as? String, title.hasPrefix("!") else { return }
        throw NSError(domain: "EBook", code: 1)
    }

    #if DEBUG || !DEBUG
    @objc public func validatePrimitiveType(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        if (value.pointee as? String) == "stone" { throw NSError(domain: "EBook", code: 2) }
    }
    #endif
}

/// A namespace with a class of the managed one's name, and one that is managed.
public extension Catalogue {
    @objc(EBookRow) class EBook: NSObject {
        public var caption = "none"
    }

    @objc(Reader) class Reader: NSManagedObject {
        @NSManaged var name: String?
        @NSManaged var eBooks: NSSet?

        public var captions: [String] {
            let books = (eBooks?.allObjects as? [Volume] ?? []).compactMap { $0.title }
            return autoreleasepool { books.sorted() }
        }
    }
}

public typealias Reader = Catalogue.Reader
public typealias Volume = EBook

// MARK: Generated accessors for eBooks
public extension Catalogue.Reader {

    @objc(addEBooksObject:)
    @NSManaged func addToEBooks(_: EBook)

    @objc(removeEBooks:)
    @NSManaged func removeFromEBooks(_ in: NSSet)

}
