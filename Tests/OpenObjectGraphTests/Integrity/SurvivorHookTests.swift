import Foundation
import OpenCoreData
import OpenManagedMacros
import Testing

/// Stores the number of its members in `willSave()`.
@ManagedObject
class CountedShelf: NSManagedObject {
  @Managed var name: String?
  @Managed var count: Int64
  @Managed var volumes: NSSet?

  override func willSave() {
    let actual = Int64(volumes?.count ?? 0)
    if !isDeleted, count != actual { count = actual }
  }

  override func validateForUpdate() throws {
    try super.validateForUpdate()
    if name == "small", count > 3 { throw CocoaError(.managedObjectValidation) }
  }
}

@ManagedObject
class CountedVolume: NSManagedObject {
  @Managed var shelf: CountedShelf?
}

/// A save calls the hooks of objects that a merge policy changes, like those of any other object.
@Suite("Hooks of surviving objects")
struct SurvivorHookTests {
  private static func model() -> NSManagedObjectModel {
    let (shelf, volume) = (NSEntityDescription(), NSEntityDescription())
    shelf.name = "CountedShelf"
    shelf.managedObjectClassName = "CountedShelf"
    volume.name = "CountedVolume"
    volume.managedObjectClassName = "CountedVolume"
    let (volumes, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
    volumes.name = "volumes"
    volumes.destinationEntity = volume
    owner.name = "shelf"
    owner.destinationEntity = shelf
    owner.maxCount = 1
    volumes.inverseRelationship = owner
    owner.inverseRelationship = volumes
    let count = attribute("count", .integer64)
    count.defaultValue = NSNumber(value: 0)
    shelf.properties = [attribute("name", .string), count, volumes]
    shelf.uniquenessConstraints = [["name"]]
    volume.properties = [owner]
    let model = NSManagedObjectModel()
    model.entities = [shelf, volume]
    return model
  }

  @Test(
    "the survivor of a uniqueness conflict counts the members that it takes over",
    arguments: StoreTypes.both, [false, true])
  func takenMembers(type: String, isSurvivorChanged: Bool) throws {
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
      let context = try NSPersistentContainer.loaded(
        "Shelves", Self.model(), [NSPersistentStoreDescription(type: type)]
      ).newBackgroundContext()
      context.mergePolicy = policy
      try context.performAndWait { () throws in
        let saved = CountedShelf(context: context)
        saved.name = "a"
        CountedVolume(context: context).shelf = saved
        try context.save()
        #expect(saved.count == 1)
        if isSurvivorChanged { CountedVolume(context: context).shelf = saved }
        let again = CountedShelf(context: context)
        again.name = "a"
        for _ in 0..<3 { CountedVolume(context: context).shelf = again }
        try context.save()
        let expected: Int64 = isSurvivorChanged ? 5 : 4
        #expect(saved.volumes?.count == Int(expected))
        #expect(saved.count == expected)
        context.reset()
        let stored = try context.fetch(NSFetchRequest<CountedShelf>(entityName: "CountedShelf"))
        #expect(stored.map(\.count) == [expected])
      }
    }
  }

  @Test("the survivor of a uniqueness conflict is validated", arguments: StoreTypes.both)
  func validation(type: String) throws {
    let context = try NSPersistentContainer.loaded(
      "Shelves", Self.model(), [NSPersistentStoreDescription(type: type)]
    ).newBackgroundContext()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait { () throws in
      let saved = CountedShelf(context: context)
      saved.name = "small"
      CountedVolume(context: context).shelf = saved
      try context.save()
      let again = CountedShelf(context: context)
      again.name = "small"
      for _ in 0..<3 { CountedVolume(context: context).shelf = again }
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectValidation)
    }
  }
}
