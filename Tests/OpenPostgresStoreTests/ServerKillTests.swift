import Foundation
import OpenCoreData
import OpenPostgresStore
import PostgresTestServer
import OpenStoreContract
import Synchronization
import Testing

@Suite("A server that is killed loses nothing", .enabled(if: TestServer.isPresent), .serialized)
struct ServerKillTests {
  /// The number of kills; `OPENCOREDATA_SERVER_KILLS` sets it.
  private static let killCount =
    Int(ProcessInfo.processInfo.environment["OPENCOREDATA_SERVER_KILLS"] ?? "") ?? 3

  /// What became of saves, by the title that each wrote.
  private struct Outcomes {
    var saved: Set<String> = []
    var refused: Set<String> = []
    var unknown: Set<String> = []
    var isDone = false
  }

  /// The outcomes, which all writers share.
  private final class Record: Sendable {
    private let outcomes = Mutex(Outcomes())

    func withLock<Result: Sendable>(_ body: (inout Outcomes) -> Result) -> Result {
      outcomes.withLock { body(&$0) }
    }
  }

  @Test(
    "saved changes are stored, refused ones are not, and stacks remain usable without being reopened"
  )
  func killWhileSaving() async throws {
    let server = try TestServer.separate()
    defer { server.stop() }
    let url = try server.newURL()
    _ = try Library.container(url)
    let outcomes = Record()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        let context = try Library.container(url).newBackgroundContext()
        group.addTask {
          var number = 0
          while !outcomes.withLock({ $0.isDone }) {
            number += 1
            let title = "\(writer)-\(number)"
            await context.perform { Self.save(title, in: context, outcomes) }
          }
        }
      }
      group.addTask {
        for kill in 1...Self.killCount {
          // Some saves between two kills, however fast the machine is.
          while outcomes.withLock({ $0.saved.count < kill * 40 }) { await Task.yield() }
          try server.killAndRestart()
        }
        while outcomes.withLock({ $0.saved.count < (Self.killCount + 1) * 40 }) {
          await Task.yield()
        }
        outcomes.withLock { $0.isDone = true }
      }
      try await group.waitForAll()
    }
    let end = outcomes.withLock { $0 }
    let context = try Library.container(url).viewContext
    let titles = try await context.perform {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
        .compactMap { $0.value(forKey: "title") as? String }
    }
    #expect(Set(titles).count == titles.count)
    #expect(end.saved.isSubset(of: titles))
    #expect(end.refused.isDisjoint(with: titles))
    #expect(end.saved.union(end.unknown).isSuperset(of: titles))
  }

  private static func save(
    _ title: String, in context: NSManagedObjectContext, _ outcomes: Record
  ) {
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(title, forKey: "title")
    do {
      try context.save()
      outcomes.withLock { _ = $0.saved.insert(title) }
    } catch {
      context.reset()
      let cause = (error as NSError).userInfo[OpenStoreErrorKey] as? StoreError
      outcomes.withLock { outcomes in
        if cause?.code == .unreachable {
          outcomes.refused.insert(title)
        } else {
          #expect(cause?.code == .outcomeUnknown, "\(error)")
          outcomes.unknown.insert(title)
        }
      }
    }
  }
}
