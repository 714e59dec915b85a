import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenStoreContract
import Testing

@Suite("The history of a store that a mapping model has migrated")
struct MigratedHistoryTests {
  private let fixture: MigrationFixture
  private let old = Library.old()
  private let new = Library.new()
  private let tracked: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true as NSNumber]

  init() throws { fixture = try MigrationFixture() }

  /// Migrates the store, which is closed.
  private func migrate(_ options: [AnyHashable: Any]) throws {
    let url = fixture.url("store")
    let files = try #require(try StoreTypes.opener(of: NSSQLiteStoreType).files)
    let request = try StoreMigrationRequest(
      type: NSSQLiteStoreType, url: url,
      configuration: StoreConfiguration(url: url, options: options), options: options,
      model: new.compiled(), files: files)
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    try ReplacingMigration(request, from: old, mapping).run()
  }

  private func token(_ context: NSManagedObjectContext) throws -> NSPersistentHistoryToken {
    let coordinator = try #require(context.persistentStoreCoordinator)
    return try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  private func transactions(
    after token: NSPersistentHistoryToken?, _ context: NSManagedObjectContext
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return try #require(result?.result as? [NSPersistentHistoryTransaction])
  }

  /// Fills the store of the old model in three saves.
  ///
  /// - Returns: The tokens before the first save and after each save.
  private func fill() throws -> [NSPersistentHistoryToken] {
    try fixture.with("store", old, options: tracked) { context in
      var tokens: [NSPersistentHistoryToken] = []
      tokens.append(try token(context))
      Library.fill(context)
      for word in ["one", "two", "three"] {
        context.insert("Tag", ["word": word])
        try context.save()
        tokens.append(try token(context))
      }
      return tokens
    }
  }

  @Test(
    "tokens from before the migration expire, however many transactions follow",
    arguments: [true, false])
  func expiredTokens(isTracked: Bool) throws {
    let tokens = try fill()
    try migrate(isTracked ? tracked : [:])
    try fixture.with("store", new, options: tracked) { context in
      for round in 0..<5 {
        for former in tokens {
          let error = #expect(throws: CocoaError.self) { try transactions(after: former, context) }
          #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        }
        context.insert("Tag", ["word": "after \(round)"])
        try context.save()
      }
      let numbers = try transactions(after: nil, context).map(\.transactionNumber)
      let expected: [Int64] = isTracked ? [5, 6, 7, 8, 9, 10] : [5, 6, 7, 8, 9]
      #expect(numbers == expected)
    }
  }

  @Test("the new history begins with the insertion of every object, and its tokens are valid")
  func newHistory() throws {
    _ = try fill()
    try migrate(tracked)
    try fixture.with("store", new, options: tracked) { context in
      let all = try transactions(after: nil, context)
      #expect(all.count == 1)
      let changes = all.first?.changes ?? []
      #expect(changes.count == 14)
      #expect(changes.allSatisfy { $0.changeType == .insert })
      let current = try token(context)
      #expect(try transactions(after: current, context).isEmpty)
      context.insert("Tag", ["word": "later"])
      try context.save()
      #expect(try transactions(after: current, context).count == 1)
    }
  }

  @Test("the positions of consumers are removed, so that pruning deletes what no consumer reads")
  func consumers() throws {
    let tokens = try fill()
    try fixture.with("store", old, options: tracked) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      try coordinator.setHistoryToken(tokens[2], forConsumer: "widget")
    }
    try migrate(tracked)
    try fixture.with("store", new, options: tracked) { context in
      let coordinator = try #require(context.persistentStoreCoordinator)
      #expect(try coordinator.historyToken(forConsumer: "widget") == nil)
      #expect(try coordinator.pruneHistory(HistoryRetention(maximumCount: 0)) == 1)
    }
  }
}
