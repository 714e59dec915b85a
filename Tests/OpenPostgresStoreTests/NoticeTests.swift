import FleetModel
import Foundation
import OpenCoreData
import PostgresTestServer
import Testing

/// Commits of another process, one after the other.
@Suite("Notifications of another process's commits", .enabled(if: TestServer.isPresent))
struct NoticeTests {
  /// The number of commits, if `OPENCOREDATA_NOTICES` sets it.
  private static let givenCount = Int(
    ProcessInfo.processInfo.environment["OPENCOREDATA_NOTICES"] ?? "")

  /// Whether tests expect that commits are reported in time, which requires an idle machine.
  static var isMeasuring: Bool { givenCount != nil }

  @Test("each commit is reported, without a further commit", .timeLimit(.minutes(30)))
  func delays() async throws {
    let url = try TestServer.shared.get().newURL()
    let context = try FleetModel.context(url)
    let (news, told) = AsyncStream.makeStream(of: Date.self)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: context.persistentStoreCoordinator,
      queue: nil
    ) { _ in told.yield(Date()) }
    defer { NotificationCenter.default.removeObserver(observer) }
    let writer = try FleetProcess(url, ["save"])
    defer { writer.kill() }
    var iterator = news.makeAsyncIterator()
    var token: NSPersistentHistoryToken?
    var delays: [Double] = []
    for number in 1...max(1, Self.givenCount ?? 20) {
      try writer.send("\(number)")
      var commits: [NSPersistentHistoryTransaction] = []
      while commits.isEmpty, let date = await iterator.next() {
        commits = try context.transactions(after: token)
        delays += commits.map { date.timeIntervalSince($0.timestamp) * 1000 }
      }
      #expect(commits.map(\.transactionNumber) == [Int64(number)])
      token = commits.last?.token ?? token
    }
    delays.sort()
    let high = delays[(delays.count - 1) * 99 / 100]
    print(
      "Delay in ms: median \(delays[delays.count / 2]), 99% \(high), most \(delays.last ?? 0)")
    if Self.isMeasuring { #expect(high < 500) }
  }
}
