import FleetModel
import Foundation
import OpenCoreData
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

  private static let accounts = 24

  private func fill(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      for number in 0..<Self.accounts {
        let account = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
        account.setValue(number, forKey: "number")
        account.setValue(1000, forKey: "balance")
        account.setValue(0, forKey: "changes")
      }
      try context.save()
    }
  }

  @Test(
    "increments, moves, insertions and deletions conserve all sums, and followers of the history see every transaction in order"
  )
  func sums() async throws {
    let url = try TestServer.shared.get().newURL()
    let context = try FleetModel.context(url)
    try fill(context)
    print("fleet: \(Self.size.processes) processes, \(Self.size.operations) operations each")
    let followers = try (0..<4).map { _ in try FleetProcess(url, ["follow"]) }
    let writers = try (1...Self.size.processes).map { seed in
      try FleetProcess(url, ["write", "\(seed)", "\(Self.size.operations)"])
    }
    var saved = 0
    for writer in writers { saved += try await writer.result() }
    try context.performAndWait {
      context.transactionAuthor = "end"
      _ = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      try context.save()
    }
    for follower in followers { #expect(try await follower.result() == saved) }
    try context.performAndWait {
      context.refreshAllObjects()
      let accounts = try sum("Account", "balance", in: context)
      let entries = try sum("Entry", "amount", in: context)
      #expect(accounts + entries == Int64(Self.accounts) * 1000)
      #expect(try sum("Account", "changes", in: context) == Int64(saved))
      let orphans = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      orphans.predicate = NSPredicate(format: "account == nil")
      // That of the end.
      #expect(try context.count(for: orphans) == 1)
    }
  }

  private func sum(
    _ entity: String, _ key: String, in context: NSManagedObjectContext
  ) throws -> Int64 {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      .reduce(0) { $0 + ($1.value(forKey: key) as? Int64 ?? 0) }
  }
}

/// A run of the program of the fleet.
private final class FleetProcess: Sendable {
  private let process = Process()
  private let output = Pipe()

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(_ url: URL, _ arguments: [String]) throws {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    process.executableURL = folder.appendingPathComponent("opencoredata-fleet")
    process.arguments = [url.absoluteString] + arguments
    process.standardOutput = output
    try process.run()
  }

  /// The number that the program prints.
  func result() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(
          in: .whitespacesAndNewlines)
        if process.terminationStatus == 0, let number = Int(text) {
          continuation.resume(returning: number)
        } else {
          continuation.resume(
            throwing: Failure(description: "ended with \(process.terminationStatus): \(text)"))
        }
      }
    }
  }
}
