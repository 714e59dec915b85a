import Foundation
import PostgresTestServer
import Testing

/// Processes that work on one store at the same time.
@Suite("A fleet of processes shares a store", .enabled(if: TestServer.isPresent), .serialized)
struct FleetTests {
  /// The number of processes, and of operations that each saves; `OPENCOREDATA_FLEET=16x4000` takes about ten minutes.
  private static let size: (processes: Int, operations: Int) = {
    let given = (ProcessInfo.processInfo.environment["OPENCOREDATA_FLEET"] ?? "")
      .split(separator: "x").compactMap { Int($0) }
    return given.count == 2 ? (given[0], given[1]) : (4, 15)
  }()

  @Test(
    "increments, moves, insertions and deletions conserve all sums, and followers of the history see every transaction in order"
  )
  func sums() async throws {
    let trial = try FleetTrial(TestServer.shared.get(), accounts: 24)
    print("fleet: \(Self.size.processes) processes, \(Self.size.operations) operations each")
    let followers = try (0..<4).map { _ in try FleetProcess(trial.url, ["follow"]) }
    let writers = try (1...Self.size.processes).map { seed in
      try FleetProcess(trial.url, ["write", "\(seed)", "\(Self.size.operations)"])
    }
    var saved = 0
    for writer in writers { saved += try await writer.result() }
    try trial.endHistory()
    for follower in followers { #expect(try await follower.result() == saved) }
    try trial.expectSums(changes: saved)
  }

  /// The number of processes that are killed, if `OPENCOREDATA_FLEET_KILLS` sets it.
  private static let givenKillCount = Int(
    ProcessInfo.processInfo.environment["OPENCOREDATA_FLEET_KILLS"] ?? "")

  @Test(
    "processes that are killed while they save leave no half saves, and no saves deadlock",
    .timeLimit(.minutes(30)))
  func kill() async throws {
    let isLong = Self.givenKillCount != nil
    let server = try TestServer.separate()
    defer { server.stop() }
    let trial = try FleetTrial(server, accounts: isLong ? 1000 : 24)
    let follower = try FleetProcess(trial.url, ["follow"])
    var writers = try (0..<(isLong ? 8 : 3)).map { try trial.startWriter($0) }
    for kill in 0..<(Self.givenKillCount ?? 2) {
      try await trial.wait(forTransactions: isLong ? 500 : 30)
      let index = kill % writers.count
      try trial.stop([writers[index]])
      writers[index] = try trial.startWriter(writers.count + kill)
    }
    try await trial.wait(forTransactions: 10)
    try trial.stop(writers)
    try trial.endHistory()
    try trial.expectSums(changes: try await follower.result())
    try trial.expectVersions()
    try trial.expectNoDeadlocks()
  }

  @Test(
    "followers of the history see every transaction once and in order, although the server is killed",
    .timeLimit(.minutes(30)))
  func serverKill() async throws {
    let server = try TestServer.separate()
    defer { server.stop() }
    let trial = try FleetTrial(server, accounts: 24)
    let followers = try (0..<2).map { _ in try FleetProcess(trial.url, ["follow"]) }
    let writers = try (0..<4).map { try trial.startWriter($0) }
    for _ in 0..<ServerKillTests.killCount {
      try await trial.wait(forTransactions: 30)
      try server.killAndRestart()
    }
    try await trial.wait(forTransactions: 30)
    try trial.stop(writers)
    try trial.endHistory()
    var changes: Set<Int> = []
    for follower in followers { changes.insert(try await follower.result()) }
    #expect(changes.count == 1)
    try trial.expectSums(changes: changes.first ?? 0)
    try trial.expectVersions()
  }
}
