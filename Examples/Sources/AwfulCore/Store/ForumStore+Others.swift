public import CoreData
import Foundation
import OpenPersistenceKit

extension ForumStore {
  /// Brings what other programs write to the store into a context, until the task is cancelled.
  ///
  /// What this program saves is left alone: the context merges it by itself.
  ///
  /// - Parameter context: A context of this store, which is kept as long as the task runs.
  /// - Returns: The task that waits for commits.
  public func followOthers(in context: NSManagedObjectContext) -> Task<Void, Never> {
    let coordinator = container.persistentStoreCoordinator
    let commits = NotificationCenter.default.notifications(
      named: .NSPersistentStoreRemoteChange, object: coordinator)
    let author = author
    var token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    return Task {
      for await _ in commits {
        if Task.isCancelled { return }
        // What cannot be read now is read after the next commit, since the token stays.
        let last = token
        if let newest = try? await context.perform({
          try Self.merge(after: last, besides: author, into: context)
        }) {
          token = newest
        }
      }
    }
  }

  /// - Returns: The token behind the last transaction.
  private static func merge(
    after token: NSPersistentHistoryToken?, besides author: String,
    into context: NSManagedObjectContext
  ) throws -> NSPersistentHistoryToken? {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    let result = try context.execute(request) as? NSPersistentHistoryResult
    let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
    for transaction in transactions where transaction.author != author {
      context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
    }
    return transactions.last?.token ?? token
  }
}
