import Foundation
import OpenCoreData
import Testing

/// Custom merge policies that work with the discarded objects, or that resolve only one kind of
/// conflict.
@Suite("Custom merge policies")
struct CustomPolicyTests {
  /// Applications of a store, with their source, their news and their installed copy.
  private static func model() -> NSManagedObjectModel {
    let entities = ["Source", "App", "News", "Installed"].map { name in
      let entity = NSEntityDescription()
      entity.name = name
      entity.properties = [attribute("code", .string), attribute("text", .string)]
      entity.uniquenessConstraints = [["code"]]
      return entity
    }
    relate(entities[1], "source", entities[0], "apps", isPair: false)
    relate(entities[2], "app", entities[1], "news", isPair: false)
    relate(entities[3], "app", entities[1], "installed", isPair: true)
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private static func relate(
    _ entity: NSEntityDescription, _ name: String, _ destination: NSEntityDescription,
    _ inverseName: String, isPair: Bool
  ) {
    let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (there.name, there.maxCount, there.destinationEntity) = (name, 1, destination)
    (back.name, back.maxCount, back.destinationEntity) = (inverseName, isPair ? 1 : 0, entity)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    entity.properties += [there]
    destination.properties += [back]
  }

  private func context(_ type: String, _ policy: NSMergePolicy) throws -> NSManagedObjectContext {
    let store = NSPersistentStoreDescription(type: type)
    let context = try NSPersistentContainer.loaded("Apps", Self.model(), [store])
      .newBackgroundContext()
    context.mergePolicy = policy
    return context
  }

  @discardableResult
  private func insert(
    _ entity: String, _ code: String, _ text: String, _ values: [String: Any] = [:],
    in context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object["code"] = code
    object["text"] = text
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  private func all(
    _ entity: String, in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.sortDescriptors = [NSSortDescriptor(key: "code", ascending: true)]
    return try context.fetch(request)
  }

  // MARK: Discarded objects

  /// Assigns the destinations of the discarded object to the saved object, as ported policies do.
  private final class PreservingPolicy: NSMergePolicy, @unchecked Sendable {
    var rounds = 0
    /// The changed values of the discarded objects, by entity.
    var changed: [String: [String: Any]] = [:]

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      rounds += 1
      let destinations = list.map { Self.destinations(of: $0.conflictingObjects[0]) }
      try super.resolve(constraintConflicts: list)
      for (conflict, destinations) in zip(list, destinations) {
        let discarded = conflict.conflictingObjects[0]
        changed[discarded.entity.name ?? ""] = discarded.changedValues()
        for (name, destination) in destinations {
          conflict.databaseObject?.setValue(destination, forKey: name)
          let inverse = discarded.entity.relationshipsByName[name]?.inverseRelationship
          if let inverse, !inverse.isToMany {
            destination.setValue(conflict.databaseObject, forKey: inverse.name)
          }
        }
      }
    }

    private static func destinations(of object: NSManagedObject) -> [String: NSManagedObject] {
      object.entity.relationshipsByName.filter { !$0.value.isToMany }
        .compactMapValues { object.value(forKey: $0.name) as? NSManagedObject }
    }
  }

  @Test(
    "assigning a discarded object during a save assigns the surviving object",
    arguments: StoreTypes.both)
  func discardedObjects(type: String) throws {
    let policy = PreservingPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    let context = try context(type, policy)
    try context.performAndWait { () throws in
      let old = insert("Source", "1", "old", in: context)
      let new = insert("Source", "2", "new", in: context)
      let app = insert("App", "a", "old", ["source": old], in: context)
      insert("News", "n", "old", ["app": app], in: context)
      insert("Installed", "i", "old", ["app": app], in: context)
      try context.save()
      let again = insert("App", "a", "new", ["source": new], in: context)
      insert("News", "n", "new", ["app": again], in: context)
      insert("Installed", "i", "new", ["app": again], in: context)
      try context.save()
      #expect(policy.rounds == 1)
      #expect(policy.changed["App"]?["source"] as? NSManagedObject === new)
      #expect(policy.changed["App"]?["text"] as? String == "new")
      #expect(again.managedObjectContext == nil)
      #expect(context.checkInvariants() == [])
      context.reset()
      let apps = try all("App", in: context)
      #expect(apps.map { $0["text"] as? String } == ["new"])
      #expect(apps.map { $0.value(forKeyPath: "source.text") as? String } == ["new"])
      for entity in ["News", "Installed"] {
        let objects = try all(entity, in: context)
        #expect(objects.map { $0["text"] as? String } == ["new"])
        #expect(objects.map { $0["app"] as? NSManagedObject } == apps)
      }
    }
  }

  // MARK: Deleted objects

  /// Deletes the news of saved applications that the new applications do not have.
  private final class PruningPolicy: NSMergePolicy, @unchecked Sendable {
    /// The codes of the news of the saved applications after the resolution.
    var remaining: [String] = []

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      let apps = list.filter { $0.databaseObject?.entity.name == "App" }
      for conflict in apps {
        let kept = conflict.conflictingObjects.flatMap { Self.codes(of: $0) }
        for case let news as NSManagedObject in conflict.databaseObject?["news"] as? NSSet
          ?? NSSet()
        where !kept.contains(news["code"] as? String ?? "") {
          news.managedObjectContext?.delete(news)
        }
      }
      try super.resolve(constraintConflicts: list)
      remaining = apps.compactMap(\.databaseObject).flatMap { Self.codes(of: $0) }.sorted()
    }

    private static func codes(of app: NSManagedObject) -> [String] {
      let news = (app["news"] as? NSSet)?.allObjects as? [NSManagedObject] ?? []
      return news.compactMap { $0["code"] as? String }
    }
  }

  @Test(
    "relationships contain no object that a policy deleted before it called super",
    arguments: StoreTypes.both)
  func deletedObjects(type: String) throws {
    let policy = PruningPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    let context = try context(type, policy)
    try context.performAndWait { () throws in
      let app = insert("App", "a", "old", in: context)
      for code in ["kept", "lost"] { insert("News", code, "old", ["app": app], in: context) }
      try context.save()
      let again = insert("App", "a", "new", in: context)
      for code in ["added", "kept"] { insert("News", code, "new", ["app": again], in: context) }
      try context.save()
      #expect(policy.remaining == ["added", "kept"])
      #expect(try all("News", in: context).map { $0["code"] as? String } == ["added", "kept"])
    }
  }

  /// Deletes all objects with an old text before it calls super.
  private final class DeletingPolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      for conflict in list {
        let objects = [conflict.databaseObject].compactMap { $0 } + conflict.conflictingObjects
        for object in objects where object["text"] as? String == "old" {
          object.managedObjectContext?.delete(object)
        }
      }
      try super.resolve(constraintConflicts: list)
    }
  }

  @Test(
    "a conflict keeps an object that the policy did not delete", arguments: StoreTypes.both)
  func deletedConflictingObjects(type: String) throws {
    for policyType in [
      NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType,
      .mergeByPropertyStoreTrumpMergePolicyType,
    ] {
      let context = try context(type, DeletingPolicy(merge: policyType))
      try context.performAndWait { () throws in
        insert("Source", "saved", "old", in: context)
        try context.save()
        // The policy deletes a new object, and the saved object.
        insert("Source", "new", "old", in: context)
        let kept = insert("Source", "new", "kept", in: context)
        let replacing = insert("Source", "saved", "replacing", in: context)
        try context.save()
        #expect(try all("Source", in: context) == [kept, replacing])
        context.reset()
        #expect(
          try all("Source", in: context).map { $0["text"] as? String } == ["kept", "replacing"])
      }
    }
  }

  // MARK: Policies of the error type

  private final class VersionPolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      try NSMergePolicy.mergeByPropertyObjectTrump.resolve(optimisticLockingConflicts: list)
    }
  }

  private final class ConstraintPolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      try NSMergePolicy.mergeByPropertyObjectTrump.resolve(constraintConflicts: list)
    }
  }

  /// Saves a change to an object that another context has also changed.
  private func saveChanged(
    in context: NSManagedObjectContext, _ change: () throws -> Void
  ) throws {
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    context.reset()
    let app = try #require(try all("App", in: context).first)
    app["text"] = "before"
    try context.save()
    try other.performAndWait { () throws in
      try #require(try all("App", in: other).first)["text"] = "theirs"
      try other.save()
    }
    app["text"] = "mine"
    try change()
    try context.save()
  }

  @Test("an error policy calls the overridden method for each kind of conflict")
  func errorPolicies() throws {
    let context = try context(
      NSSQLiteStoreType, VersionPolicy(merge: .errorMergePolicyType))
    try context.performAndWait { () throws in
      for code in ["a", "b"] { insert("App", code, "old", in: context) }
      try context.save()
      try saveChanged(in: context) {}
      #expect(try all("App", in: context).map { $0["text"] as? String } == ["mine", "old"])
      var error = #expect(throws: CocoaError.self) {
        try saveChanged(in: context) { insert("App", "b", "new", in: context) }
      }
      #expect(error?.code == .managedObjectConstraintMerge)
      context.rollback()
      context.mergePolicy = ConstraintPolicy(merge: .errorMergePolicyType)
      insert("App", "b", "new", in: context)
      try context.save()
      #expect(try all("App", in: context).last?["text"] as? String == "new")
      error = #expect(throws: CocoaError.self) {
        try saveChanged(in: context) { insert("App", "b", "newest", in: context) }
      }
      #expect(error?.code == .managedObjectMerge)
      let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any]
      #expect(conflicts?.count == 2)
    }
  }

  @Test("a snapshot can contain a name as a Swift string and as a Foundation string")
  func repeatedName() {
    var snapshot: [AnyHashable: Any] = ["code": 1]
    snapshot[NSString(string: "code")] = 1
    let conflict = NSConstraintConflict(
      constraint: ["code"], database: nil, databaseSnapshot: snapshot, conflicting: [],
      conflictingSnapshots: [])
    #expect(conflict.databaseSnapshot?["code"] as? Int == 1)
  }
}
