import COpenSQLite
import Foundation
import OpenCoreData
import Testing

@Suite("History retention and history consumers")
struct HistoryRetentionTests {
  private func stack(_ place: TrackStack.Place, saves: Int) throws -> TrackStack {
    let stack = try TrackStack(place, history: true)
    for _ in 0..<saves { try stack.seed(1) }
    return stack
  }

  private func numbers(_ stack: TrackStack) throws -> [Int64] {
    let context = stack.makeContext()
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return try #require(result?.result as? [NSPersistentHistoryTransaction])
        .map(\.transactionNumber)
    }
  }

  private func token(_ number: Int, _ stack: TrackStack) throws -> NSPersistentHistoryToken {
    let context = stack.makeContext()
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(
        after: nil as NSPersistentHistoryToken?)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
      return try #require(transactions.first { $0.transactionNumber == Int64(number) }).token
    }
  }

  @Test("the current token of an empty list of stores is the token of all stores")
  func currentToken() throws {
    let stack = try stack(.file, saves: 1)
    let token = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: []))
    #expect(token == stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
    #expect(token == stack.coordinator.currentPersistentHistoryToken(fromStores: [stack.store]))
  }

  @Test("a limit by number keeps the newest transactions", arguments: TrackStack.Place.allCases)
  func maximumCount(_ place: TrackStack.Place) throws {
    let stack = try stack(place, saves: 5)
    #expect(try stack.coordinator.pruneHistory(HistoryRetention(maximumCount: 9)) == 0)
    #expect(try stack.coordinator.pruneHistory(HistoryRetention(maximumCount: 2)) == 3)
    #expect(try numbers(stack) == [4, 5])
    #expect(try stack.coordinator.pruneHistory(HistoryRetention(maximumCount: -3)) == 2)
    #expect(try numbers(stack).isEmpty)
  }

  @Test("a limit by age deletes older transactions", arguments: TrackStack.Place.allCases)
  func maximumAge(_ place: TrackStack.Place) throws {
    let stack = try stack(place, saves: 3)
    #expect(try stack.coordinator.pruneHistory(HistoryRetention(maximumAge: 3600)) == 0)
    #expect(try stack.coordinator.pruneHistory(HistoryRetention()) == 0)
    #expect(try stack.coordinator.pruneHistory(HistoryRetention(maximumAge: -3600)) == 3)
    #expect(try numbers(stack).isEmpty)
  }

  @Test("a limit by age keeps the first transaction that is young enough, and all that follow it")
  func unorderedAges() throws {
    let stack = try stack(.file, saves: 4)
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    let opened = sqlite3_open(stack.file.path, &database)
    try #require(opened == SQLITE_OK)
    let sql = "UPDATE ATRANSACTION SET ZTIMESTAMP = 0 WHERE Z_PK <> 3"
    let updated = sqlite3_exec(database, sql, nil, nil, nil)
    try #require(updated == SQLITE_OK)
    #expect(try stack.coordinator.pruneHistory(HistoryRetention(maximumAge: 3600)) == 2)
    #expect(try numbers(stack) == [3, 4])
  }

  @Test("transactions that a consumer has not read stay", arguments: TrackStack.Place.allCases)
  func consumers(_ place: TrackStack.Place) throws {
    let stack = try stack(place, saves: 5)
    let coordinator = stack.coordinator
    #expect(try coordinator.historyToken(forConsumer: "widget") == nil)
    try coordinator.setHistoryToken(try token(2, stack), forConsumer: "widget")
    try coordinator.setHistoryToken(try token(4, stack), forConsumer: "sync")
    #expect(try coordinator.historyToken(forConsumer: "widget") == token(2, stack))
    #expect(try coordinator.pruneHistory(HistoryRetention(maximumCount: 1)) == 2)
    #expect(try numbers(stack) == [3, 4, 5])
    try coordinator.setHistoryToken(nil, forConsumer: "widget")
    #expect(try coordinator.historyToken(forConsumer: "widget") == nil)
    #expect(try coordinator.pruneHistory(HistoryRetention(maximumCount: 0)) == 2)
    #expect(try numbers(stack) == [5])
  }

  @Test("consumers are stored in the file, and setting metadata does not remove them")
  func persistence() throws {
    let stack = try stack(.file, saves: 2)
    let last = try token(2, stack)
    try stack.coordinator.setHistoryToken(last, forConsumer: "it's \"one\"; --")
    stack.coordinator.setMetadata(["Mine": 1], for: stack.store)
    try stack.seed(1)
    try stack.coordinator.remove(stack.store)
    let second = try stack.secondCoordinator()
    #expect(try second.historyToken(forConsumer: "it's \"one\"; --") == last)
    #expect(second.persistentStores.first?.metadata["Mine"] as? Int == 1)
  }

  @Test("a store that is saved as another store has no consumers, because its history is new")
  func savedAs() throws {
    let stack = try stack(.file, saves: 5)
    let coordinator = stack.coordinator
    try coordinator.setHistoryToken(try token(5, stack), forConsumer: "widget")
    try coordinator.migratePersistentStore(
      stack.store, to: stack.file.deletingLastPathComponent().appendingPathComponent("b.sqlite"),
      options: [NSPersistentHistoryTrackingKey: true as NSNumber], type: .sqlite)
    #expect(try coordinator.historyToken(forConsumer: "widget") == nil)
    #expect(try coordinator.pruneHistory(HistoryRetention(maximumCount: 0)) == 1)
  }

  @Test(
    "an age and a date that are not numbers delete nothing", arguments: TrackStack.Place.allCases)
  func notNumbers(_ place: TrackStack.Place) throws {
    let stack = try stack(place, saves: 2)
    #expect(try stack.coordinator.pruneHistory(HistoryRetention(maximumAge: .nan)) == 0)
    let context = stack.makeContext()
    try context.performAndWait {
      let date = Date(timeIntervalSinceReferenceDate: .nan)
      try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: date))
    }
    #expect(try numbers(stack) == [1, 2])
  }
}
