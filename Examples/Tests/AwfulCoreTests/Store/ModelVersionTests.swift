import AwfulCore
import CoreData
import Foundation
import OpenPersistenceKit
import Testing

/// The versions of the reader's model, and stores of each of them.
@Suite("Versions of the forum model")
struct ModelVersionTests {
  private static let versions = Array(1...AwfulModel.newestVersion)
  private static let older = Array(1..<AwfulModel.newestVersion)

  @Test("the newest version is the current version, and there are no other versions")
  func current() throws {
    let newest = try AwfulModel.make(version: AwfulModel.newestVersion)
    #expect(try AwfulModel.make().entityVersionHashesByName == newest.entityVersionHashesByName)
    #expect(throws: ModelError.self) { try AwfulModel.make(version: 0) }
    #expect(throws: ModelError.self) { try AwfulModel.make(version: AwfulModel.newestVersion + 1) }
  }

  @Test("every version has its number, and only the fourth fits stores of its predecessor")
  func hashes() throws {
    let models = try Self.versions.map { try AwfulModel.make(version: $0) }
    for (number, model) in zip(Self.versions, models) {
      #expect(model.versionIdentifiers == ["\(number)"])
      #expect(try model.compiled().entities.isEmpty == false)
    }
    for number in Self.older {
      let (one, next) = (models[number - 1], models[number])
      #expect((one.entityVersionHashesByName == next.entityVersionHashesByName) == (number == 3))
    }
  }

  @Test("every version leads to every later one without a mapping model", arguments: older)
  func inferred(_ number: Int) throws {
    let model = try AwfulModel.make(version: number)
    for later in Self.versions where later > number {
      let mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: model, destinationModel: AwfulModel.make(version: later))
      #expect(mapping.entityMappings.allSatisfy { $0.mappingType != .removeEntityMappingType })
    }
  }

  @Test("steps add and remove the listed properties")
  func steps() throws {
    func properties(_ version: Int, _ entity: String) throws -> Set<String> {
      Set(
        try AwfulModel.make(version: version).entitiesByName[entity]?.propertiesByName.keys
          .map { $0 } ?? [])
    }
    #expect(
      try properties(2, "Thread").symmetricDifference(properties(1, "Thread"))
        == ["hideFromThreadList", "threadListPage"])
    #expect(try properties(2, "Announcement").isEmpty)
    #expect(try properties(3, "User").subtracting(properties(2, "User")) == ["announcements"])
    #expect(
      try properties(4, "ForumGroup").subtracting(properties(3, "ForumGroup"))
        == ["sectionIdentifier"])
    #expect(
      try properties(5, "Thread").subtracting(properties(4, "Thread")) == ["ratingImageName"])
    let added = try AwfulModel.make(version: 6).entitiesByName.keys.flatMap { name in
      try properties(6, name).subtracting(properties(5, name))
    }
    #expect(added.count == 8 && added.allSatisfy { $0.hasSuffix("Raw") })
    #expect(
      try properties(7, "PrivateMessage").subtracting(properties(6, "PrivateMessage"))
        == ["folder", "isSent"])
    #expect(try properties(8, "Post").subtracting(properties(7, "Post")) == ["text"])
  }

  @Test(
    "a store of any version opens with the newest model, and keeps all values, links and orders",
    arguments: older)
  func direct(_ number: Int) throws {
    let store = try VersionedStore()
    try store.fill(version: number, seed: UInt64(number))
    let old = try store.contents(version: number)
    #expect(old.values.allSatisfy { $0.count == 12 })
    let new = try store.contents(version: AwfulModel.newestVersion)
    try compare(old, number, new, AwfulModel.newestVersion)
  }

  @Test(
    "a store that is migrated version by version keeps all values, links and orders",
    arguments: older)
  func chain(_ number: Int) throws {
    let store = try VersionedStore()
    try store.fill(version: number, seed: UInt64(number) + 100)
    let old = try store.contents(version: number)
    var previous = old
    for next in (number + 1)...AwfulModel.newestVersion {
      let contents = try store.contents(version: next)
      try compare(previous, next - 1, contents, next)
      previous = contents
    }
    try compare(old, number, previous, AwfulModel.newestVersion)
  }

  @Test("the reader opens a store of an older version and continues with it")
  func reader() async throws {
    let store = try VersionedStore()
    try store.fill(version: 1, seed: 7)
    let reader = try ForumStore.openExisting(store.file)
    func count() throws -> Int {
      try reader.performBatchOperation { context in
        try context.count(for: NSFetchRequest<Forum>(entityName: "Forum"))
      }
    }
    #expect(try count() == 12)
    for page in try TestSite().allPages() { try await reader.importPage(page) }
    #expect(try count() > 12)
  }

  /// Requires that the common properties are equal, and new properties have their default values.
  private func compare(
    _ old: VersionedStore.Contents, _ oldVersion: Int, _ new: VersionedStore.Contents,
    _ newVersion: Int
  ) throws {
    let model = try AwfulModel.make(version: newVersion)
    for (name, rows) in new {
      guard let oldRows = old[name] else {
        #expect(rows.isEmpty, "\(name) is new in version \(newVersion)")
        continue
      }
      #expect(rows.keys.sorted() == oldRows.keys.sorted(), "\(name), \(oldVersion) → \(newVersion)")
      let entity = try #require(model.entitiesByName[name])
      for (label, row) in rows {
        for (key, value) in row {
          let wanted = oldRows[label]?[key] ?? Self.fresh(entity, key)
          #expect(value == wanted, "\(label).\(key), \(oldVersion) → \(newVersion)")
        }
      }
    }
  }

  /// What a property of an old object has that its version did not know.
  private static func fresh(_ entity: NSEntityDescription, _ key: String) -> String {
    if let attribute = entity.attributesByName[key] {
      return attribute.defaultValue.map { "\($0)" } ?? "nil"
    }
    return entity.relationshipsByName[key]?.isToMany == true ? "[]" : "nil"
  }
}
