public import CoreData
import Foundation
public import OpenPersistenceKit

/// A store that several programs may have open, each of which sees what the others write.
///
/// Shared.
// Invariant of the unchecked conformance: the only state is the author, which is constant.
open class SharedStore: PersistenceController, @unchecked Sendable {
  /// Who this process is in the history of changes.
  public let author: String

  /// Opens a store, which keeps a history of changes and announces those of other programs.
  ///
  /// - Parameters:
  ///   - program: The program's name, with which the author of its changes begins.
  ///   - name: Name of the model and of the default store file.
  ///   - model: The model.
  ///   - storage: Where the store lives.
  ///   - options: More store options by key.
  /// - Throws: The error of a store that cannot be opened.
  public init(
    program: String, name: String, model: NSManagedObjectModel, storage: Storage,
    options: [String: NSObject] = [:]
  ) throws {
    author = Self.makeAuthor(program)
    let shared: [String: NSObject] = [
      NSPersistentHistoryTrackingKey: NSNumber(value: true),
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true),
    ]
    try super.init(
      name: name, model: model, storage: storage, options: shared.merging(options) { $1 })
    viewContext.transactionAuthor = author
  }

  /// Opens a store without failing; see `loadErrors` and `requireStores()`.
  ///
  /// - Parameters:
  ///   - program: The program's name, with which the author of its changes begins.
  ///   - configuration: What the store is opened with.
  public init(program: String, opening configuration: Configuration) {
    author = Self.makeAuthor(program)
    super.init(opening: configuration)
    viewContext.transactionAuthor = author
  }

  private static func makeAuthor(_ program: String) -> String { "\(program)-\(UUID().uuidString)" }

  /// Makes a context for background work, whose edits win over the store's.
  public override func newBackgroundContext() -> NSManagedObjectContext {
    let context = super.newBackgroundContext()
    context.transactionAuthor = author
    return context
  }

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
