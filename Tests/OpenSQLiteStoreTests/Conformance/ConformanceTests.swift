import Foundation
import OpenMemoryStore
import OpenObjectModel
import OpenPredicates
import OpenSQLiteStore
import OpenStoreConformance
import OpenStoreContract
import Synchronization
import Testing

@Suite("Every store passes the conformance suite")
struct ConformanceTests {
  @Test("the memory store conforms", arguments: StoreConformance.checks)
  func memoryStoreConforms(_ check: StoreConformance.Check) throws {
    try check.run(.memory)
  }

  @Test("the SQLite store conforms in memory", arguments: StoreConformance.checks)
  func sqliteStoreConformsInMemory(_ check: StoreConformance.Check) throws {
    try check.run(.sqliteInMemory)
  }

  @Test("the SQLite store conforms in a file", arguments: StoreConformance.checks)
  func sqliteStoreConformsInFile(_ check: StoreConformance.Check) throws {
    let folder = try TemporaryFolder()
    try check.run(folder.sqliteStore)
  }

  @Test("stores with history conform", arguments: StoreConformance.checks)
  func storesWithHistoryConform(_ check: StoreConformance.Check) throws {
    let folder = try TemporaryFolder(tracksHistory: true)
    try check.run(folder.sqliteStore)
    try check.run(.memoryWithHistory)
  }

  @Test("check names are distinct, so that a failure names one check")
  func checkNamesAreDistinct() {
    let names = StoreConformance.checks.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test("both stores select the same rows after the same edits", arguments: UInt64(1)...8)
  func storesAgree(_ seed: UInt64) throws {
    try StoreConformance.compare(seed: seed, edits: 300, .memory, .sqliteInMemory)
  }

  @Test("a comparison notices a store that loses a commit, and names the seed")
  func comparisonNoticesDifference() throws {
    let failure = try #require(throws: ConformanceFailure.self) {
      try StoreConformance.compare(seed: 1, edits: 60, .memory, .forgetful)
    }
    #expect(failure.message.contains("seed 1"))
  }

  @Test("a check notices a store that loses a commit")
  func checksNoticeLoss() {
    let failures = StoreConformance.checks.filter { check in
      do { try check.run(.forgetful) } catch { return true }
      return false
    }
    #expect(failures.count > StoreConformance.checks.count / 2)
  }
}

extension StoreUnderTest {
  static let memory = StoreUnderTest(name: "memory") { model in
    try MemoryStore.open(StoreConfiguration(url: nil), model: model)
  }

  static let sqliteInMemory = StoreUnderTest(name: "SQLite in memory") { model in
    try SQLiteStore.open(StoreConfiguration(url: nil), model: model)
  }

  static let memoryWithHistory = StoreUnderTest(name: "memory with history") { model in
    var configuration = StoreConfiguration(url: nil)
    configuration.tracksHistory = true
    return try MemoryStore.open(configuration, model: model)
  }

  /// Loses every third commit.
  static let forgetful = StoreUnderTest(name: "forgetful") { model in
    ForgetfulStore(try MemoryStore.open(StoreConfiguration(url: nil), model: model))
  }
}

/// A folder that is deleted with the test.
private final class TemporaryFolder: Sendable {
  private let url: URL
  private let files = Mutex<[ObjectIdentifier: URL]>([:])
  private let tracksHistory: Bool

  init(tracksHistory: Bool = false) throws {
    self.tracksHistory = tracksHistory
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("conformance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var sqliteStore: StoreUnderTest {
    StoreUnderTest(
      name: "SQLite in a file",
      open: { model in
        try self.open(self.url.appendingPathComponent("\(UUID().uuidString).sqlite"), model)
      },
      reopen: { store, model in
        let file = try #require(self.files.withLock { $0[ObjectIdentifier(store)] })
        store.close()
        return try self.open(file, model)
      })
  }

  private func open(_ file: URL, _ model: CompiledModel) throws -> any StoreBackend {
    var configuration = StoreConfiguration(url: file)
    configuration.tracksHistory = tracksHistory
    let store = try SQLiteStore.open(configuration, model: model)
    files.withLock { $0[ObjectIdentifier(store)] = file }
    return store
  }
}

/// A faulty store that does not write every third commit without deletions, but reports success.
private final class ForgetfulStore: StoreBackend {
  private let store: MemoryStore
  private let commits = Mutex(0)

  init(_ store: MemoryStore) { self.store = store }

  var capabilities: StoreCapabilities { store.capabilities }
  var identifier: String { store.identifier }

  func requireWritable() throws(StoreError) { try store.requireWritable() }

  func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome {
    let isLost = commits.withLock { number in
      number += 1
      return number.isMultiple(of: 3)
    }
    guard isLost, changes.deleted.isEmpty else { return try store.commit(&changes) }
    var nothing = ChangeSet()
    return try store.commit(&nothing)
  }

  func forEachChunk(
    matching plan: FetchPlan, _ body: (RowChunk) throws(StoreError) -> Void
  ) throws(StoreError) { try store.forEachChunk(matching: plan, body) }

  func forEachKeyBatch(
    matching plan: FetchPlan, _ body: ([ObjectKey]) throws(StoreError) -> Void
  ) throws(StoreError) { try store.forEachKeyBatch(matching: plan, body) }

  func forEachResultBatch(
    matching plan: FetchPlan, _ body: ([Value]) throws(StoreError) -> Void
  ) throws(StoreError) { try store.forEachResultBatch(matching: plan, body) }

  func count(matching plan: FetchPlan) throws(StoreError) -> Int {
    try store.count(matching: plan)
  }

  func rows(of entity: CompiledEntity, keys: [Int64]) throws(StoreError) -> RowChunk {
    try store.rows(of: entity, keys: keys)
  }

  func destinations(
    of property: CompiledProperty, in entity: CompiledEntity, sources: [Int64]
  ) throws(StoreError) -> [[ObjectKey]] {
    try store.destinations(of: property, in: entity, sources: sources)
  }

  func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64] {
    try store.reserveKeys(counts)
  }

  func insert(
    _ batch: BatchInsert, origin: ChangeOrigin, _ next: () throws(StoreError) -> [Row]
  ) throws(StoreError) -> BatchOutcome { try store.insert(batch, origin: origin, next) }

  func execute(
    _ request: BatchRequest, origin: ChangeOrigin
  ) throws(StoreError) -> BatchOutcome { try store.execute(request, origin: origin) }

  func metadata() throws(StoreError) -> StoreMetadata { try store.metadata() }

  func close() { store.close() }
}
