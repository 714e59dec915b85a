import Foundation
import OpenCoreData
import Testing

/// The view that two coordinators of one store have of each other, with caches too small for their
/// work.
@Suite("Two coordinators of one store")
struct TwoCoordinatorsTests {
  private static func texts(in container: NSPersistentContainer) throws -> [Int: String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait { () throws in try CodedItems.texts(in: context) }
  }

  /// Runs a unit of work that inserts many objects, and changes and deletes others.
  ///
  /// - Returns: The store's contents after the work; nil if the work failed as intended.
  private static func work(
    in container: NSPersistentContainer, round: Int, size: Int, fails: Bool,
    _ random: inout SeededNumbers
  ) throws -> [Int: String]? {
    let context = container.newBackgroundContext()
    var numbers = random
    defer { random = numbers }
    return try context.performAndWait { () throws in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      var items = try context.fetch(request)
      var known = 0
      for item in items {
        known = max(known, item.value(forKey: "number") as? Int ?? 0)
        let choice = numbers.below(items.count < 2500 ? 40 : 4)
        if choice == 0 { context.delete(item) }
        if choice == 1 { item.setValue("\(round)", forKey: "text") }
      }
      for number in 0..<size {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.setValue(known + 1 + number, forKey: "number")
        item.setValue(fails && number > size - 3 ? "same" : "\(numbers.next())", forKey: "code")
        item.setValue(String(repeating: "\(round) ", count: numbers.below(200)), forKey: "text")
        items.append(item)
      }
      if fails {
        #expect(throws: CocoaError.self) { try context.save() }
        return nil
      }
      try context.save()
      return Dictionary(
        uniqueKeysWithValues: items.filter { $0.managedObjectContext != nil && !$0.isDeleted }.map {
          ($0.value(forKey: "number") as? Int ?? -1, $0.value(forKey: "text") as? String ?? "")
        })
    }
  }

  /// Apple, save() and fetch(_:): one coordinator finds the complete saves of the other, and no
  /// part of a failed save.
  @Test(
    "each coordinator finds what the other saved, and no part of a failed save",
    arguments: [(20, 40), (20, 1000), (2000, 40)])
  func turns(cachedPages: Int, checkpointAt pages: Int) throws {
    try CodedItems.inFolder {
      try takeTurns(in: $0, pragmas: ["cache_size": cachedPages, "wal_autocheckpoint": pages])
    }
  }

  private func takeTurns(in folder: URL, pragmas: KeyValuePairs<String, Int>) throws {
    let file = folder.appendingPathComponent("items.sqlite")
    let both = try (0..<2).map { _ in try CodedItems.container(file, pragmas: pragmas) }
    var random = SeededNumbers(seed: 7_1123)
    var expected: [Int: String] = [:]
    for round in 0..<40 {
      let turn = random.below(2)
      let fails = random.below(3) == 0
      let size = random.below(4) == 0 ? 600 : 20
      let saved = try Self.work(in: both[turn], round: round, size: size, fails: fails, &random)
      expected = saved ?? expected
      for container in both { #expect(try Self.texts(in: container) == expected) }
    }
    for container in both { try container.persistentStoreCoordinator.removeAll() }
    #expect(try Self.texts(in: try CodedItems.container(file)) == expected)
  }

  /// Apple, NSBatchInsertRequest: a request that fails inserts nothing. What it wrote to the log before the failure
  /// affects no other transaction, even one that overwrites it.
  @Test("the writes of a failed batch do not overwrite another coordinator's save")
  func failedBatch() throws {
    try CodedItems.inFolder { try failBatches(in: $0) }
  }

  private func failBatches(in folder: URL) throws {
    let file = folder.appendingPathComponent("items.sqlite")
    // After each save of the first coordinator, the log restarts; the saves of the second stay in
    // it.
    let both = try [1, 1_000_000].map {
      try CodedItems.container(file, pragmas: ["cache_size": 20, "wal_autocheckpoint": $0])
    }
    var random = SeededNumbers(seed: 7_1123)
    var expected: [Int: String] = [:]
    for round in 0..<6 {
      try Self.failToInsert(600 + 100 * round, in: both[0])
      for container in both.reversed() {
        expected = try #require(
          try Self.work(in: container, round: round, size: 600, fails: false, &random))
        for container in both { #expect(try Self.texts(in: container) == expected) }
      }
    }
  }

  /// Inserts lines until an insertion fails.
  private static func failToInsert(_ count: Int, in container: NSPersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait { () throws in
      var number = 0
      let request = NSBatchInsertRequest(
        entityName: "Line",
        dictionaryHandler: { line in
          number += 1
          line["text"] = number < count ? String(repeating: "line ", count: 60) : Data() as Any
          return number > count
        })
      #expect(throws: CocoaError.self) { try context.execute(request) }
      let lines = NSFetchRequest<NSManagedObject>(entityName: "Line")
      #expect(try context.count(for: lines) == 0)
    }
  }
}

extension NSPersistentStoreCoordinator {
  fileprivate func removeAll() throws {
    for store in persistentStores { try remove(store) }
  }
}
