// swift-format-ignore-file
import CoreData

// Members of a class of the model, whose superclass is in a source that is not rewritten.

extension Leaf {

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        title = "Untitled"
    }

    @objc func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        if (value.pointee as? String) == "?" { throw NSError(domain: "Leaf", code: 1) }
    }

    @objc public var initial: String { return String((title ?? "").prefix(1)) }
}
