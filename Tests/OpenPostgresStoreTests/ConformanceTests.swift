import Foundation
import OpenStoreConformance
import PostgresTestServer
import Testing

@Suite("The PostgreSQL store passes the conformance suite", .enabled(if: TestServer.isPresent))
struct ConformanceTests {
  @Test("the store conforms", arguments: StoreConformance.checks)
  func conforms(_ check: StoreConformance.Check) throws { try check.run(.postgres()) }

  @Test("the store conforms with a history", arguments: StoreConformance.checks)
  func conformsWithHistory(_ check: StoreConformance.Check) throws {
    try check.run(.postgres(tracksHistory: true))
  }

  @Test(
    "the store conforms when connected through a pooler in transaction mode",
    .enabled(if: TestServer.hasPooler, "Debian's package \"pgbouncer\" is not installed."),
    arguments: StoreConformance.checks)
  func conformsPooled(_ check: StoreConformance.Check) throws {
    try check.run(.postgres(tracksHistory: true, isPooled: true))
  }

  /// The number of seeds of edits and plans; `OPENCOREDATA_STORE_SEEDS` sets it.
  static let seedCount =
    UInt64(ProcessInfo.processInfo.environment["OPENCOREDATA_STORE_SEEDS"] ?? "") ?? 4

  @Test(
    "it selects the same rows as the memory store after the same edits",
    arguments: 1...max(1, seedCount))
  func agreesWithMemory(_ seed: UInt64) throws {
    let server = try TestServer.shared.get()
    let schema = "compared_\(seed)"
    let url = try server.url(schema: schema)
    try StoreConformance.compare(seed: seed, edits: 150, .memory, .postgres(at: url))
    // Many seeds would fill the disk.
    try server.execute("DROP SCHEMA \(schema) CASCADE")
  }
}

@Suite("Tests of the PostgreSQL store need a server")
struct ServerPresenceTests {
  @Test("without Debian's package, the tests are skipped with a message")
  func presence() {
    if let absence = TestServer.absence { print(absence) }
    #expect(TestServer.isPresent == (TestServer.absence == nil))
  }
}
