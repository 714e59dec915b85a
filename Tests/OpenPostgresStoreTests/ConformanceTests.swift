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

  @Test(
    "it selects the same rows as the memory store after the same edits", arguments: UInt64(1)...4)
  func agreesWithMemory(_ seed: UInt64) throws {
    try StoreConformance.compare(seed: seed, edits: 150, .memory, .postgres())
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
