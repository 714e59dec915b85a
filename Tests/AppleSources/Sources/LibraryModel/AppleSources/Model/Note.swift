// swift-format-ignore-file
import CoreData

/// The class has another name in the model than here.
@objc(MarginNote) public final class Note: ManagedRecord {
    @NSManaged public private(set) var text: String; @NSManaged public var madeAt: Date?
    @NSManaged public var chapter: Chapter?, stars: Int16

    public private(set) var isPlain = false

    @objc override public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        isPlain = true
    }

    public convenience init(context: NSManagedObjectContext) {
        let entity = NSEntityDescription.entity(forEntityName: "Note", in: context)!
        self.init(entity: entity, insertInto: context)
    }

    public convenience init(_ text: String, on chapter: Chapter, in context: NSManagedObjectContext) {
        self.init(context: context)
        self.chapter = chapter
        self.text = text
    }
}

/// What all classes written by hand have in common.
@objcMembers
public class ManagedRecord: NSManagedObject {
    public dynamic var entityTitle: String { entity.name ?? "" }
    @IBInspectable public var color: String = ""
}
