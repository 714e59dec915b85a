import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

@ManagedObject
class TagItem: NSManagedObject {
  @Managed var name: String?
  @Managed var kind: String?
  @Managed var note: String?
  @Managed var rank: Int64
  @Managed var owner: TagItem?
  @Managed var owned: NSSet?
}

/// Conflicts of saves: versions, uniqueness constraints, and custom policies.
@Suite("Merge policies")
struct MergePolicyTests {
  /// Tags with a uniqueness constraint on name and kind.
  private static func model() -> NSManagedObjectModel {
    let tag = NSEntityDescription()
    tag.name = "TagItem"
    tag.managedObjectClassName = "TagItem"
    let rank = attribute("rank", .integer64)
    rank.defaultValue = NSNumber(value: 0)
    func relationship(_ name: String, _ maxCount: Int) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      relationship.name = name
      relationship.maxCount = maxCount
      relationship.destinationEntity = tag
      return relationship
    }
    let (owner, owned) = (relationship("owner", 1), relationship("owned", 0))
    owner.inverseRelationship = owned
    owned.inverseRelationship = owner
    owned.deleteRule = .cascadeDeleteRule
    tag.properties = [
      attribute("name", .string), attribute("kind", .string), attribute("note", .string),
      rank, owner, owned,
    ]
    tag.uniquenessConstraints = [["name", "kind"]]
    let model = NSManagedObjectModel()
    model.entities = [tag]
    return model
  }

  private func context(
    _ type: String, _ policy: NSMergePolicy = .error
  ) throws -> NSManagedObjectContext {
    let store = NSPersistentStoreDescription(type: type)
    let context = try NSPersistentContainer.loaded("Tags", Self.model(), [store])
      .newBackgroundContext()
    context.mergePolicy = policy
    return context
  }

  @discardableResult
  private func tag(
    _ name: String, _ note: String?, rank: Int64 = 0, in context: NSManagedObjectContext
  ) -> TagItem {
    let tag = TagItem(context: context)
    tag.name = name
    tag.kind = "k"
    tag.note = note
    tag.rank = rank
    return tag
  }

  private func tags(in context: NSManagedObjectContext) throws -> [TagItem] {
    let request = NSFetchRequest<TagItem>(entityName: "TagItem")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request)
  }

  @Test(
    "the default policy reports every conflict, and keeps the insertions",
    arguments: StoreTypes.both)
  func reporting(type: String) throws {
    let context = try context(type)
    try context.performAndWait { () throws in
      let saved = tag("a", "saved", in: context)
      try context.save()
      let again = tag("a", "again", in: context)
      let (one, two) = (tag("b", "one", in: context), tag("b", "two", in: context))
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
      let list =
        error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      #expect(list?.count == 2)
      #expect(list?.first?.constraint == ["name", "kind"])
      #expect(list?.first?.constraintValues["name"] as? String == "a")
      #expect(list?.first?.databaseObject === saved)
      #expect(list?.first?.databaseSnapshot?["note"] as? String == "saved")
      #expect(list?.first?.conflictingObjects == [again])
      #expect(list?.last?.databaseObject == nil)
      #expect(list?.last?.conflictingObjects == [one, two])
      #expect(context.insertedObjects.count == 3)
      context.rollback()
      #expect(try tags(in: context).count == 1)
    }
  }

  @Test(
    "under object trump, a duplicate updates the saved object, which keeps its members",
    arguments: StoreTypes.both)
  func objectTrump(type: String) throws {
    let context = try context(type, .mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      let saved = tag("a", "saved", rank: 5, in: context)
      tag("member", nil, in: context).owner = saved
      try context.save()
      let id = saved.objectID
      let again = tag("a", nil, rank: 9, in: context)
      let part = tag("part", nil, in: context)
      part.owner = again
      try context.save()
      #expect(!context.hasChanges)
      #expect(again.managedObjectContext == nil)
      #expect(saved.objectID == id)
      // A value that was set to nil overwrites; a value that was never set does not.
      #expect(saved.note == nil)
      #expect(saved.rank == 9)
      #expect(part.owner === saved)
      #expect(saved.owned?.count == 2)
      context.reset()
      #expect(try tags(in: context).map(\.name) == ["a", "member", "part"])
      #expect(try tags(in: context)[0].owned?.count == 2)
    }
  }

  @Test(
    "store trump keeps the saved values, and rollback drops the duplicate and its members' links",
    arguments: StoreTypes.both)
  func storeTrumpAndRollback(type: String) throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
      let context = try context(type, policy)
      try context.performAndWait { () throws in
        let saved = tag("a", "saved", in: context)
        try context.save()
        let part = tag("part", nil, in: context)
        part.owner = tag("a", "again", in: context)
        try context.save()
        #expect(saved.note == "saved")
        #expect(part.owner === (policy.mergeType == .rollbackMergePolicyType ? nil : saved))
        context.reset()
        #expect(try tags(in: context).map(\.note) == ["saved", nil])
      }
    }
  }

  @Test(
    "two new objects with the same values become one, in the order of their insertion",
    arguments: StoreTypes.both)
  func duplicatesInContext(type: String) throws {
    let context = try context(type, .mergeByPropertyObjectTrump)
    try context.performAndWait { () throws in
      for number in 1...3 { tag("a", "note \(number)", rank: Int64(number), in: context) }
      tag("b", "other", in: context)
      try context.save()
      #expect(try tags(in: context).map(\.note) == ["note 3", "other"])
    }
  }

  @Test(
    "a saved object that takes another object's unique values is reverted, or the save fails",
    arguments: StoreTypes.both)
  func savedAgainstSaved(type: String) throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
      let context = try context(type, policy)
      try context.performAndWait { () throws in
        tag("a", "first", in: context)
        let second = tag("b", "second", in: context)
        try context.save()
        second.name = "a"
        second.note = "changed"
        if policy.mergeType == .mergeByPropertyStoreTrumpMergePolicyType {
          try context.save()
          #expect(second.name == "b")
          #expect(second.note == "changed")
        } else {
          let error = #expect(throws: CocoaError.self) { try context.save() }
          #expect(error?.code.rawValue == NSManagedObjectConstraintMergeError)
          #expect(second.name == "a")
        }
      }
    }
  }

  @Test(
    "relationships without inverse lead to the surviving object, also if a parent entity declares them",
    arguments: StoreTypes.both)
  func withoutInverse(type: String) throws {
    let (pointer, thing, part) = (
      NSEntityDescription(), NSEntityDescription(), NSEntityDescription()
    )
    (pointer.name, thing.name, part.name) = ("Pointer", "Thing", "Part")
    let target = NSRelationshipDescription()
    (target.name, target.maxCount, target.destinationEntity) = ("target", 1, thing)
    pointer.properties = [target]
    thing.properties = [attribute("name", .string)]
    thing.subentities = [part]
    part.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [pointer, thing, part]
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
      let context = try NSPersistentContainer.loaded(
        "Things", model, [NSPersistentStoreDescription(type: type)]
      ).newBackgroundContext()
      context.mergePolicy = policy
      try context.performAndWait { () throws in
        func insert(_ entity: String, _ key: String, _ value: Any) -> NSManagedObject {
          let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
          object.setValue(value, forKey: key)
          return object
        }
        let saved = insert("Part", "name", "a")
        try context.save()
        let again = (0..<2).map { _ in insert("Part", "name", "a") }
        let other = insert("Part", "name", "b")
        let pointers = ([saved, other] + again).map { insert("Pointer", "target", $0) }
        try context.save()
        #expect(again.allSatisfy { $0.managedObjectContext == nil })
        let targets = [saved, other, saved, saved]
        #expect(pointers.map { $0.value(forKey: "target") as? NSManagedObject } == targets)
        for pointer in pointers { context.refresh(pointer, mergeChanges: false) }
        #expect(pointers.map { $0.value(forKey: "target") as? NSManagedObject } == targets)
      }
    }
  }

  @Test("saved objects may swap their values in one save", arguments: StoreTypes.both)
  func swap(type: String) throws {
    let context = try context(type)
    try context.performAndWait { () throws in
      let (one, two) = (tag("a", "one", in: context), tag("b", "two", in: context))
      try context.save()
      (one.name, two.name) = ("b", "a")
      try context.save()
      context.reset()
      #expect(try tags(in: context).map(\.note) == ["two", "one"])
      #expect(try tags(in: context).map(\.kind) == ["k", "k"])
    }
  }

  @Test("a null among the values never conflicts", arguments: StoreTypes.both)
  func nulls(type: String) throws {
    let context = try context(type)
    try context.performAndWait { () throws in
      for _ in 0..<2 { tag("a", nil, in: context).kind = nil }
      try context.save()
      #expect(try tags(in: context).count == 2)
    }
  }

  @Test("a custom policy receives all conflicts, locking first, and can resolve or reject them")
  func ownPolicy() throws {
    final class Recording: NSMergePolicy, @unchecked Sendable {
      var seen: [String] = []

      override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        seen.append("versions \(list.count)")
        try super.resolve(optimisticLockingConflicts: list)
      }

      override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        seen.append("constraints \(list.count)")
        for conflict in list {
          let notes = conflict.conflictingObjects.compactMap { ($0 as? TagItem)?.note }
          (conflict.databaseObject as? TagItem)?.note = notes.joined()
        }
        try super.resolve(constraintConflicts: list)
      }
    }
    let policy = Recording(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    let context = try context(NSSQLiteStoreType, policy)
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    try context.performAndWait { () throws in
      let saved = tag("a", "saved", in: context)
      let changed = tag("b", "old", in: context)
      try context.save()
      try other.performAndWait { () throws in
        try #require(try tags(in: other).last).rank = 4
        try other.save()
      }
      changed.note = "mine"
      tag("a", "again", in: context)
      try context.save()
      #expect(policy.seen == ["versions 1", "constraints 1"])
      #expect(saved.note == "again")
      #expect(changed.note == "mine")
      #expect(changed.rank == 4)
    }
  }

  @Test("a conflict contains the object's values, the values at the fetch and the stored values")
  func snapshots() throws {
    let context = try context(NSSQLiteStoreType)
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    try context.performAndWait { () throws in
      let owner = tag("owner", nil, in: context)
      let changed = tag("b", "old", in: context)
      changed.owner = owner
      try context.save()
      try other.performAndWait { () throws in
        try #require(try tags(in: other).first).note = "theirs"
        try other.save()
      }
      changed.note = "mine"
      let error = #expect(throws: CocoaError.self) { try context.save() }
      let conflict = try #require(
        (error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first)
      #expect(conflict.objectSnapshot?["note"] as? String == "mine")
      #expect(conflict.cachedSnapshot?["note"] as? String == "old")
      #expect(conflict.persistedSnapshot?["note"] as? String == "theirs")
      #expect(conflict.persistedSnapshot?["owner"] as? NSManagedObjectID == owner.objectID)
      #expect(conflict.persistedSnapshot?["kind"] as? String == "k")
      #expect((conflict.oldVersionNumber, conflict.newVersionNumber) == (1, 2))
    }
  }

  @Test("a row deleted elsewhere stays deleted under every policy but the error policy")
  func deletedElsewhere() throws {
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite, .rollback, .error] {
      let context = try context(NSSQLiteStoreType, policy)
      let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      other.persistentStoreCoordinator = context.persistentStoreCoordinator
      try context.performAndWait { () throws in
        let changed = tag("b", "old", in: context)
        try context.save()
        try other.performAndWait { () throws in
          other.delete(try #require(try tags(in: other).first))
          try other.save()
        }
        changed.note = "mine"
        if policy.mergeType == .errorMergePolicyType {
          let error = #expect(throws: CocoaError.self) { try context.save() }
          #expect(error?.code.rawValue == NSManagedObjectMergeError)
        } else {
          try context.save()
          #expect(try tags(in: context).isEmpty)
          #expect(changed.managedObjectContext == nil)
        }
      }
    }
  }
}
