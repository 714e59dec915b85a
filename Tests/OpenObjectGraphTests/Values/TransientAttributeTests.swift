import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

/// A note whose transient attributes have default values.
@ManagedObject
final class MoodNote: NSManagedObject {
  @Managed var title: String?
  @Managed var mood: String?
  @Managed var count: Int32
  @Managed var isOpen: Bool
}

/// A note that computes its transient attribute.
class ComputedNote: NSManagedObject {
  override func value(forKey key: String) -> Any? {
    guard key == "label" else { return super.value(forKey: key) }
    return (super.value(forKey: "title") as? String).map { "<\($0)>" }
  }
}

/// A note that sets its transient attribute when it is fetched.
@ManagedObject
final class AwakenedNote: NSManagedObject {
  @Managed var title: String?
  @Managed var label: String?

  override func awakeFromFetch() {
    super.awakeFromFetch()
    label = "<\(title ?? "")>"
  }
}

@Suite("Transient attributes")
struct TransientAttributeTests {
  static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  /// A context of a new store with notes.
  private func context(
    _ type: String, _ className: String, _ properties: [NSPropertyDescription]
  ) throws -> NSManagedObjectContext {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("Note", className)
    entity.properties = properties
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let store = NSPersistentStoreDescription(type: type)
    return try NSPersistentContainer.loaded("Notes", model, [store]).newBackgroundContext()
  }

  private func transient(
    _ name: String, _ type: NSAttributeDescription.AttributeType, _ value: Any? = nil,
    isOptional: Bool = true
  ) -> NSAttributeDescription {
    let made = attribute(name, type)
    made.isTransient = true
    made.isOptional = isOptional
    made.defaultValue = value
    return made
  }

  private func moodNotes(_ type: String) throws -> NSManagedObjectContext {
    try context(
      type, "MoodNote",
      [
        attribute("title", .string), transient("mood", .string, "calm"),
        transient("count", .integer32, 7, isOptional: false), transient("isOpen", .boolean, true),
        transient("tags", .transformable, ["new"]),
      ])
  }

  @Test(
    "a transient attribute has its default value in new and in fetched objects", arguments: stores)
  func defaults(_ type: String) throws {
    let context = try moodNotes(type)
    try context.performAndWait { () throws in
      let note = MoodNote(context: context)
      #expect(note.mood == "calm" && note.count == 7 && note.isOpen)
      #expect(note.value(forKey: "count") as? Int == 7)
      #expect(note.value(forKey: "tags") as? [String] == ["new"])
      try context.save()
      context.reset()
      let request = NSFetchRequest<MoodNote>(entityName: "Note")
      let found = try #require(try context.fetch(request).first)
      #expect(found.mood == "calm" && found.count == 7 && found.isOpen)
      #expect(found.value(forKey: "tags") as? [String] == ["new"])
      #expect(!found.hasChanges)
      found.mood = "glad"
      try context.save()
      #expect(found.mood == "glad")
      context.refresh(found, mergeChanges: false)
      #expect(found.mood == "calm")
    }
  }

  @Test("the default value of a transient attribute without a type can be an object of any class")
  func untypedDefault() throws {
    let mark = NSObject()
    let context = try context(
      NSInMemoryStoreType, "NSManagedObject",
      [attribute("title", .string), transient("mark", .undefined, mark)])
    try context.performAndWait { () throws in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      #expect(note.value(forKey: "mark") as AnyObject? === mark)
      note.setValue(nil, forKey: "mark")
      try context.save()
      #expect(note.value(forKey: "mark") == nil)
    }
  }

  @Test(
    "a transient attribute that was set to nil stays nil until its object becomes a fault",
    arguments: stores)
  func explicitNil(_ type: String) throws {
    let context = try moodNotes(type)
    try context.performAndWait { () throws in
      let note = MoodNote(context: context)
      note.mood = nil
      #expect(note.mood == nil)
      try context.save()
      #expect(note.mood == nil)
      #expect(note.value(forKey: "mood") == nil)
      context.refresh(note, mergeChanges: true)
      #expect(note.mood == nil)
      context.refresh(note, mergeChanges: false)
      #expect(note.mood == "calm")
    }
  }

  @Test("undoing the first change of a transient attribute restores its default value")
  func undo() throws {
    let context = try moodNotes(NSInMemoryStoreType)
    context.undoManager = UndoManager()
    try context.performAndWait { () throws in
      let note = MoodNote(context: context)
      try context.save()
      note.mood = "glad"
      context.processPendingChanges()
      context.undo()
      #expect(note.mood == "calm")
      context.redo()
      #expect(note.mood == "glad")
    }
  }

  @Test("undo keeps or restores a transient value that awakeFromFetch() has set")
  func undoAfterFetch() throws {
    let context = try context(
      NSInMemoryStoreType, "AwakenedNote",
      [attribute("title", .string), transient("label", .string)])
    context.undoManager = UndoManager()
    try context.performAndWait { () throws in
      AwakenedNote(context: context).title = "A"
      try context.save()
      context.reset()
      let request = NSFetchRequest<AwakenedNote>(entityName: "Note")
      let note = try #require(try context.fetch(request).first)
      #expect(note.label == "<A>")
      note.title = "B"
      context.processPendingChanges()
      context.undo()
      #expect(note.title == "A" && note.label == "<A>" && !note.hasChanges)
      note.label = "mine"
      context.processPendingChanges()
      context.undo()
      #expect(note.label == "<A>")
    }
  }

  @Test("the save of an object without a required transient value throws 1570")
  func required() throws {
    let context = try context(
      NSInMemoryStoreType, "NSManagedObject",
      [attribute("title", .string), transient("label", .string, isOptional: false)])
    context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      #expect(context.failuresOfSave().map(\.code.rawValue) == [1570])
      note.setValue("a", forKey: "label")
      #expect(context.failuresOfSave().isEmpty)
      note.setValue(nil, forKey: "label")
      #expect(context.failuresOfSave().map(\.validationKey) == ["label"])
      var value: AnyObject?
      let error = #expect(throws: CocoaError.self) {
        try note.validateValue(&value, forKey: "label")
      }
      #expect(error?.code.rawValue == 1570)
    }
  }

  @Test("an override of value(forKey:) may compute a required transient value (D-412)")
  func computed() throws {
    let context = try context(
      NSInMemoryStoreType, "ComputedNote",
      [attribute("title", .string), transient("label", .string, isOptional: false)])
    context.performAndWait {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      #expect(context.failuresOfSave().map(\.code.rawValue) == [1570])
      note.setValue("a", forKey: "title")
      #expect(context.failuresOfSave().isEmpty)
      #expect(note.value(forKey: "label") as? String == "<a>")
    }
  }
}
