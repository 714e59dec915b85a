import CoreData
import Foundation
public import OpenPersistenceKit
import Testing

@ManagedObject
final class KitSong: NSManagedObject {
  @Managed var small: Int16
  @Managed var number: Int64
  @Managed var identifier: UUID?
  @Managed var slug: String?
}

extension UInt64: UpsertKey {}

/// Upserts by keys of other types than text.
@Suite("Upsert batches by other keys")
struct KeyedUpsertBatchTests {
  private static func controllers(_ folder: Folder) throws -> [PersistenceController] {
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("KitSong", "KitSong")
    let types: [(String, NSAttributeType)] = [
      ("small", .integer16AttributeType), ("number", .integer64AttributeType),
      ("identifier", .UUIDAttributeType), ("slug", .stringAttributeType),
    ]
    entity.properties = types.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return try [.inMemory, .file(folder.store)].map { storage in
      try PersistenceController(name: "Songs", model: model, storage: storage)
    }
  }

  /// Upserts three keys, one of which is stored, and saves; then finds all of them.
  private static func check<Key: UpsertKey>(
    _ keys: [Key], _ name: String,
    _ batch: (NSManagedObjectContext, [Key]) throws -> KeyedUpsertBatch<KitSong, Key>
  ) throws {
    let folder = try Folder()
    for controller in try controllers(folder) {
      try controller.performBatchOperation { context in
        KitSong(context: context).setValue(keys[0].storedValues[0], forKey: name)
        // One without a key.
        _ = KitSong(context: context)
      }
      try controller.performBatchOperation { context in
        let songs = try batch(context, keys + keys)
        #expect(songs.existing(keys[0])?.objectID.isTemporaryID == false)
        #expect(songs.existing(keys[1]) == nil)
        for key in keys { #expect(songs[key].value(forKey: name) != nil) }
        #expect(songs.insertedCount == keys.count - 1)
      }
      try controller.performBatchOperation { context in
        let songs = try batch(context, [])
        for key in keys { #expect(songs.existing(key) != nil) }
        #expect(Set(songs.all.keys) == Set(keys))
        #expect(!context.hasChanges)
      }
    }
  }

  @Test("integers of every size find the objects that have them")
  func integers() throws {
    try Self.check([1, -7, Int64.max], "number") {
      try KeyedUpsertBatch(in: $0, identifiedBy: \.number, identifiers: $1)
    }
    try Self.check([1, 2, 3] as [Int], "number") {
      try KeyedUpsertBatch(in: $0, key: "number", values: $1)
    }
    try Self.check([1, 2, Int16.max], "small") {
      try KeyedUpsertBatch(in: $0, identifiedBy: \.small, identifiers: $1)
    }
    try Self.check([1, 2, 3] as [Int32], "small") {
      try KeyedUpsertBatch(in: $0, key: "small", values: $1)
    }
  }

  @Test("UUIDs find the objects that have them")
  func identifiers() throws {
    let keys = (0..<3).map { UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, $0)) }
    try Self.check(keys, "identifier") {
      try KeyedUpsertBatch(in: $0, identifiedBy: \.identifier, identifiers: $1)
    }
  }

  @Test("optional texts find the objects that have them, and objects without one are not changed")
  func optionalTexts() throws {
    try Self.check(["a", "b", "c"], "slug") {
      try UpsertBatch<KitSong>(in: $0, identifiedBy: \.slug, identifiers: $1)
    }
  }

  /// A track's number in an application's wrapper type.
  private struct TrackNumber: UpsertKey {
    static var attributeTypes: Set<NSAttributeType> { [.integer64AttributeType] }
    let value: Int64
    var storedValues: [Any] { [value] }

    init(_ value: Int64) { self.value = value }

    init?(storedValue: Any) {
      guard let value = Int64(storedValue: storedValue) else { return nil }
      self.init(value)
    }
  }

  @Test("a type of the application can be a key")
  func ownKeys() throws {
    try Self.check([TrackNumber(1), TrackNumber(2), TrackNumber(3)], "number") {
      try KeyedUpsertBatch(in: $0, key: "number", values: $1)
    }
  }

  @Test("an integer that an attribute cannot contain makes the save throw")
  func largeIntegers() throws {
    let folder = try Folder()
    for controller in try Self.controllers(folder) {
      #expect(throws: ObjectError.self) {
        try controller.performBatchOperation { context in
          let songs = try KeyedUpsertBatch<KitSong, UInt64>(
            in: context, key: "number", values: [UInt64.max])
          #expect(songs.existing(UInt64.max) == nil)
          _ = songs[UInt64.max]
        }
      }
      let count = try controller.performBatchOperation { context in
        try context.count(for: NSFetchRequest<KitSong>(entityName: "KitSong"))
      }
      #expect(count == 0)
    }
  }

  @Test("a key of another type than the attribute throws, before objects are recreated")
  func wrongTypes() throws {
    let context = try Self.controllers(Folder())[0].newBackgroundContext()
    context.performAndWait {
      let errors = [
        #expect(throws: CocoaError.self) {
          try KeyedUpsertBatch<KitSong, Int>(in: context, key: "slug", values: [])
        },
        #expect(throws: CocoaError.self) {
          try KeyedUpsertBatch<KitSong, UUID>(in: context, key: "number", values: [])
        },
        #expect(throws: CocoaError.self) {
          try UpsertBatch<KitSong>(in: context, key: "identifier", values: [])
        },
      ]
      #expect(errors.allSatisfy { $0?.code == .coreData })
    }
  }
}
