import Foundation
import OpenCoreData
import Testing

/// Conflicts under constraints that contain a relationship, and under several constraints.
@Suite("Conflicts under uniqueness constraints")
struct ConstraintConflictTests {
  static let types = StoreTypes.both + ServedStores.types

  /// Slots with a uniqueness constraint on shelf and number.
  private static func slotModel() -> NSManagedObjectModel {
    let (slot, shelf) = (NSEntityDescription(), NSEntityDescription())
    (slot.name, shelf.name) = ("Slot", "Shelf")
    let (owner, slots) = (NSRelationshipDescription(), NSRelationshipDescription())
    (owner.name, owner.maxCount, owner.destinationEntity) = ("shelf", 1, shelf)
    (slots.name, slots.maxCount, slots.destinationEntity) = ("slots", 0, slot)
    (owner.inverseRelationship, slots.inverseRelationship) = (slots, owner)
    slot.properties = [attribute("number", .integer64), attribute("label", .string), owner]
    shelf.properties = [attribute("name", .string), slots]
    slot.uniquenessConstraints = [["shelf", "number"]]
    let model = NSManagedObjectModel()
    model.entities = [slot, shelf]
    return model
  }

  private func context(
    _ type: String, _ model: NSManagedObjectModel, _ policy: NSMergePolicy = .error
  ) throws -> NSManagedObjectContext {
    let description = NSPersistentStoreDescription(type: type)
    try ServedStores.place(description, ofType: type)
    let context = try NSPersistentContainer.loaded("Slots", model, [description])
      .newBackgroundContext()
    context.mergePolicy = policy
    return context
  }

  private func insert(
    _ entity: String, _ values: [String: Any], in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  private func conflicts(in error: CocoaError?) -> [NSConstraintConflict] {
    error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
  }

  @Test(
    "the error policy reports the saved object with the same relationship and value",
    arguments: types)
  func reportedRelationship(type: String) throws {
    let context = try context(type, Self.slotModel())
    try context.performAndWait {
      let shelf = insert("Shelf", ["name": "a"], in: context)
      let saved = insert("Slot", ["shelf": shelf, "number": 1, "label": "old"], in: context)
      try context.save()
      let again = insert("Slot", ["shelf": shelf, "number": 1, "label": "new"], in: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectConstraintMerge)
      let conflicts = conflicts(in: error)
      #expect(conflicts.map(\.constraint) == [["shelf", "number"]])
      #expect(conflicts.first?.databaseObject === saved)
      #expect(conflicts.first?.conflictingObjects == [again])
      #expect(again.isInserted)
    }
  }

  @Test(
    "merge policies resolve a conflict under a constraint with a relationship", arguments: types)
  func resolvedRelationship(type: String) throws {
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
      let context = try context(type, Self.slotModel(), policy)
      try context.performAndWait {
        let shelf = insert("Shelf", ["name": "a"], in: context)
        let saved = insert("Slot", ["shelf": shelf, "number": 1, "label": "old"], in: context)
        try context.save()
        let again = insert("Slot", ["shelf": shelf, "number": 1, "label": "new"], in: context)
        // The same number on another shelf is not a conflict.
        let other = insert("Shelf", ["name": "b"], in: context)
        _ = insert("Slot", ["shelf": other, "number": 1, "label": "other"], in: context)
        try context.save()
        #expect(!context.hasChanges)
        #expect(again.managedObjectContext == nil)
        let isObjectTrump = policy.mergeType == .mergeByPropertyObjectTrumpMergePolicyType
        #expect(saved.value(forKey: "label") as? String == (isObjectTrump ? "new" : "old"))
        #expect(saved.value(forKey: "shelf") as? NSManagedObject === shelf)
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Slot")) == 2)
      }
    }
  }

  @Test("the error policy reports every constraint that an object violates", arguments: types)
  func severalConstraints(type: String) throws {
    let model = CodedItems.model()
    model.entitiesByName["Item"]?.uniquenessConstraints = [["code"], ["text"]]
    let context = try context(type, model)
    try context.performAndWait {
      let first = insert("Item", ["code": "1", "text": "a"], in: context)
      let second = insert("Item", ["code": "2", "text": "b"], in: context)
      try context.save()
      let both = insert("Item", ["code": "1", "text": "b"], in: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let conflicts = conflicts(in: error)
      #expect(conflicts.map(\.constraint) == [["code"], ["text"]])
      #expect(conflicts.map(\.databaseObject) == [first, second])
      #expect(conflicts.map(\.conflictingObjects) == [[both], [both]])
    }
  }

  @Test(
    "a saved object with unsaved changes is the database object of a conflict", arguments: types)
  func changedSavedObject(type: String) throws {
    let context = try context(type, CodedItems.model())
    try context.performAndWait {
      let saved = insert("Item", ["code": "1", "text": "a"], in: context)
      try context.save()
      saved.setValue("b", forKey: "text")
      let again = insert("Item", ["code": "1", "text": "c"], in: context)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let conflicts = conflicts(in: error)
      #expect(conflicts.map(\.databaseObject) == [saved])
      #expect(conflicts.map(\.conflictingObjects) == [[again]])
    }
  }

  @Test("a violated index of the store that no object explains throws 133021")
  func unexplained() throws {
    let stack = try FileTestStack()
    let url = stack.url("items.sqlite")
    let context = try CodedItems.container(url).newBackgroundContext()
    try context.performAndWait {
      _ = insert("Item", ["code": "a"], in: context)
      try context.save()
      try stack.execute(
        "CREATE UNIQUE INDEX folded ON ZITEM (ZCODE COLLATE NOCASE)", on: url)
      let item = insert("Item", ["code": "A"], in: context)
      for policy in [NSMergePolicy.error, .mergeByPropertyObjectTrump] {
        context.mergePolicy = policy
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .managedObjectConstraintMerge)
        #expect(error?.localizedDescription.contains("Item") == true)
        #expect(conflicts(in: error).isEmpty)
        #expect(item.isInserted)
      }
      item.setValue("b", forKey: "code")
      try context.save()
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")) == 2)
    }
    // The folder is removed with the stack.
    #expect(try stack.names.contains("items.sqlite"))
  }
}
