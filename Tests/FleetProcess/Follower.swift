import Foundation
import OpenCoreData

/// Reads the history while other processes write to it.
struct Follower {
  private let context: NSManagedObjectContext
  /// Signalled for each notice of commits.
  private let notices = DispatchSemaphore(value: 0)
  private let observer: any NSObjectProtocol

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(_ context: NSManagedObjectContext) {
    self.context = context
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: context.persistentStoreCoordinator,
      queue: nil
    ) { [notices] _ in notices.signal() }
  }

  /// Reads until a transaction has the author `end`.
  ///
  /// - Returns: How many changes of accounts the transactions have.
  func run() throws -> Int {
    var token: NSPersistentHistoryToken?
    var last: Int64 = 0
    var changes = 0
    while true {
      let result = try reaching {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        return try context.execute(request) as? NSPersistentHistoryResult
      }
      for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
        guard transaction.transactionNumber == last + 1 else {
          throw Failure(description: "\(transaction.transactionNumber) follows \(last).")
        }
        last += 1
        token = transaction.token
        changes += (transaction.changes ?? []).count {
          $0.changedObjectID.entity.name == "Account"
            && $0.updatedProperties?.contains { $0.name == "changes" } == true
        }
        if transaction.author == "end" { return changes }
      }
      notices.wait()
    }
  }
}
