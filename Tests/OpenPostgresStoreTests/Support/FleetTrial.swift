import FleetModel
import Foundation
import OpenCoreData
import PostgresTestServer
import Testing

/// A store with accounts, on which the processes of a fleet work.
///
/// Confined to one test.
final class FleetTrial {
  let url: URL
  private let server: TestServer
  private let schema = "fleet_\(UUID().uuidString.prefix(8))".lowercased()
  private let context: NSManagedObjectContext
  private let accountCount: Int
  /// The end of the history that ``wait(forTransactions:)`` has read.
  private var token: NSPersistentHistoryToken?

  /// Creates a store with accounts that each have a balance of 1,000.
  init(_ server: TestServer, accounts accountCount: Int) throws {
    self.server = server
    self.accountCount = accountCount
    url = try server.url(schema: schema)
    context = try FleetModel.context(url)
    try context.performAndWait {
      for number in 0..<accountCount {
        let account = NSEntityDescription.insertNewObject(forEntityName: "Account", into: context)
        account.setValue(number, forKey: "number")
        account.setValue(1000, forKey: "balance")
        account.setValue(0, forKey: "changes")
      }
      try context.save()
    }
  }

  // MARK: Processes

  /// Starts a process that saves until it is stopped.
  func startWriter(_ seed: Int) throws -> (process: FleetProcess, name: String) {
    let name = "writer_\(seed)"
    let place = try #require(URL(string: "\(url)&application_name=\(name)"))
    return (try FleetProcess(place, ["write", "\(seed)", "1000000"]), name)
  }

  /// Kills processes, and waits until the server no longer executes their statements.
  func stop(_ writers: [(process: FleetProcess, name: String)]) throws {
    for writer in writers {
      #expect(writer.process.isRunning, "\(writer.name) ended with an error.")
      writer.process.kill()
      try server.execute(
        """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE application_name = '\(writer.name)'
        """)
    }
  }

  // MARK: History

  /// Waits until the history contains a number of further transactions.
  func wait(forTransactions count: Int) async throws {
    var missing = count
    while missing > 0 {
      let transactions = try context.transactions(after: token)
      token = transactions.last?.token ?? token
      missing -= transactions.count
      await Task.yield()
    }
  }

  /// Saves the transaction at which followers end.
  func endHistory() throws {
    try context.performAndWait {
      context.transactionAuthor = "end"
      _ = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      try context.save()
    }
  }

  // MARK: Expectations

  /// Expects that no money was lost, and that accounts were changed a number of times.
  func expectSums(changes: Int) throws {
    try context.performAndWait {
      context.refreshAllObjects()
      let accounts = try sum("Account", "balance")
      let entries = try sum("Entry", "amount")
      #expect(accounts + entries == Int64(accountCount) * 1000)
      #expect(try sum("Account", "changes") == Int64(changes))
      let orphans = NSFetchRequest<NSManagedObject>(entityName: "Entry")
      orphans.predicate = NSPredicate(format: "account == nil")
      // That of the end.
      #expect(try context.count(for: orphans) == 1)
    }
  }

  private func sum(_ entity: String, _ key: String) throws -> Int64 {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      .reduce(0) { $0 + ($1.value(forKey: key) as? Int64 ?? 0) }
  }

  /// Expects that the versions of all accounts together equal their changes in the history.
  func expectVersions() throws {
    // The statement fails if the numbers differ. New rows have version 1, and members of
    // relationships have no version.
    try server.execute(
      """
      SELECT 1 / ((SELECT sum(z_opt) - count(*) FROM \(schema).zaccount) = (
        SELECT count(*) FROM \(schema).achange
        WHERE zchangetype = 1 AND zcolumns ~ 'changes|label' AND zentity = (
          SELECT z_ent FROM \(schema).z_primarykey WHERE z_name = 'Account')))::int
      """)
  }

  /// Expects that the server has detected no deadlock since it was created.
  func expectNoDeadlocks() throws {
    try server.execute(
      "SELECT 1 / (deadlocks = 0)::int FROM pg_stat_database WHERE datname = 'postgres'")
  }
}
