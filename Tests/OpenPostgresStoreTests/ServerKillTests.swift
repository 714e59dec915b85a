import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import Testing

@Suite("A killed server loses no changes", .enabled(if: TestServer.isPresent), .serialized)
struct ServerKillTests {
  /// The number of kills; `OPENCOREDATA_SERVER_KILLS` sets it.
  static let killCount =
    Int(ProcessInfo.processInfo.environment["OPENCOREDATA_SERVER_KILLS"] ?? "") ?? 3

  @Test(
    "saved changes are stored, rejected ones are not, and stacks remain usable without reopening"
  )
  func killWhileSaving() async throws {
    let server = try TestServer.separate()
    defer { server.stop() }
    let url = try server.newURL()
    _ = try Library.container(url)
    let outcomes = SaveOutcomes()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        let context = try Library.container(url).newBackgroundContext()
        group.addTask { await outcomes.write(as: writer, in: context) }
      }
      group.addTask {
        for kill in 1...Self.killCount {
          await outcomes.wait(forSaves: kill * 40)
          try server.killAndRestart()
        }
        await outcomes.wait(forSaves: (Self.killCount + 1) * 40)
        outcomes.finish()
      }
      try await group.waitForAll()
    }
    try await outcomes.expectAgreement(with: url)
  }
}
