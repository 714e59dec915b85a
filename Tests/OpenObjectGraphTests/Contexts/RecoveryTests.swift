import Foundation
import OpenCoreData
import Testing

/// What a store holds whose process ended without closing it: file and log as they lie there.
@Suite("Stores that were not closed")
struct RecoveryTests {
  private static func model() -> NSManagedObjectModel {
    let item = NSEntityDescription()
    item.name = "Item"
    item.properties = [
      attribute("number", .integer64), attribute("code", .string), attribute("text", .string),
    ]
    item.uniquenessConstraints = [["code"]]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }

  private static func container(_ file: URL, cachedPages: Int) throws -> NSPersistentContainer {
    let store = NSPersistentStoreDescription(url: file)
    store.setValue("\(cachedPages)" as NSString, forPragmaNamed: "cache_size")
    return try .loaded("Items", model(), [store])
  }

  private static func texts(in context: NSManagedObjectContext) throws -> [Int: String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    return Dictionary(
      try context.fetch(request).map { item in
        (item.value(forKey: "number") as? Int ?? -1, item.value(forKey: "text") as? String ?? "")
      }, uniquingKeysWith: { $0 + " and " + $1 })
  }

  /// Apple, save(): what was saved is in the store. With a small cache SQLite writes pages of a transaction to its log
  /// more than once, and with failed saves it writes where it wrote before.
  @Test("every save can be recovered from file and log, and no other", arguments: [2000, 20])
  func recovery(cachedPages: Int) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A folder that cannot be removed is left to the system's cleaning.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("items.sqlite")
    let context = try Self.container(file, cachedPages: cachedPages).newBackgroundContext()
    var random = SeededNumbers(seed: 24_4096)
    var next = 0
    try context.performAndWait { () throws in
      for round in 0..<24 {
        let before = try Self.texts(in: context)
        for _ in 0..<random.below(round % 4 == 0 ? 2000 : 30) {
          let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
          item.setValue(next, forKey: "number")
          item.setValue("\(random.next())", forKey: "code")
          item.setValue(String(repeating: "\(round) ", count: random.below(200)), forKey: "text")
          next += 1
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        for item in try context.fetch(request) where random.below(4) == 0 {
          random.below(5) == 0 ? context.delete(item) : item.setValue("\(round)", forKey: "text")
        }
        if round % 3 == 2 {
          let one = try context.fetch(request).filter { !$0.isDeleted }
          one.prefix(2).forEach { $0.setValue("same", forKey: "code") }
          #expect(throws: CocoaError.self) { try context.save() }
          context.rollback()
          #expect(try Self.texts(in: context) == before)
        } else {
          try context.save()
        }
        let copy = folder.appendingPathComponent("copy\(round).sqlite")
        for end in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: file.path + end, toPath: copy.path + end)
        }
        let recovered = try Self.container(copy, cachedPages: 2000).newBackgroundContext()
        let expected = try Self.texts(in: context)
        try recovered.performAndWait { () throws in
          #expect(try Self.texts(in: recovered) == expected)
        }
      }
    }
  }
}
