public import CoreData
public import Foundation
public import OpenPersistenceKit

/// A store that several programs may open at the same time. Each program sees the changes of the others.
///
/// > Concurrency: Shared; usable on any thread.
// Invariant of the unchecked conformance: the only state is the author, which is constant.
open class SharedStore: PersistenceController, @unchecked Sendable {
  /// The author of this process's changes in the history.
  public let author: String

  /// Opens a store that keeps a history of changes and announces the changes of other programs.
  ///
  /// - Parameters:
  ///   - program: The program's name, which is the prefix of the author of its changes.
  ///   - name: The name of the model and of the default store file.
  ///   - model: The model.
  ///   - storage: The location of the store.
  ///   - options: Additional store options by key.
  /// - Throws: An error if the store cannot be opened.
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

  /// Opens a store without throwing; see `loadErrors` and `requireStores()`.
  ///
  /// - Parameters:
  ///   - program: The program's name, which is the prefix of the author of its changes.
  ///   - configuration: The configuration of the store.
  public init(program: String, opening configuration: Configuration) {
    author = Self.makeAuthor(program)
    super.init(opening: configuration)
    viewContext.transactionAuthor = author
  }

  /// The store's file; nil for an in-memory store, which no other program can open.
  public var file: URL? {
    guard case .file(let file) = configuration.storage else { return nil }
    return file
  }

  private static func makeAuthor(_ program: String) -> String { "\(program)-\(UUID().uuidString)" }

  /// Creates a context for background work, whose changes win over the store's.
  public override func newBackgroundContext() -> NSManagedObjectContext {
    let context = super.newBackgroundContext()
    context.transactionAuthor = author
    return context
  }

  /// Merges the changes of other programs into a context, until the task is canceled.
  ///
  /// The task ignores the changes of this program, which the context merges by itself. If the history no longer contains all changes, the
  /// task resets the context, so that its objects are read again.
  ///
  /// - Parameter context: A context of this store, retained while the task runs.
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
        // After an error, the token does not change, so the next commit reads the same transactions again.
        let last = token
        if let newest = try? await context.perform({
          try Self.mergeOrReset(after: last, besides: author, context)
        }) {
          token = newest
        }
      }
    }
  }

  /// Merges the changes that other programs have saved into a context. Call on the context's queue.
  ///
  /// Afterwards, the context also reads the new values of changed objects that are not registered with it.
  ///
  /// - Parameters:
  ///   - token: The last transaction that the context has seen; nil for none.
  ///   - context: A context of this store.
  /// - Returns: The last transaction that the context has seen now.
  /// - Throws: The error of reading the history; `CocoaError` with code `.persistentHistoryTokenExpired` if the history no longer contains
  ///   all later transactions.
  public func mergeOthers(
    after token: NSPersistentHistoryToken?, into context: NSManagedObjectContext
  ) throws -> NSPersistentHistoryToken? {
    try Self.merge(after: token, besides: author, into: context)
  }

  /// Merges the transactions of other authors into a context, or resets the context if the history no longer contains the transactions.
  ///
  /// - Returns: The token of the last transaction.
  private static func mergeOrReset(
    after token: NSPersistentHistoryToken?, besides author: String,
    _ context: NSManagedObjectContext
  ) throws -> NSPersistentHistoryToken? {
    do {
      return try merge(after: token, besides: author, into: context)
    } catch let error as CocoaError where error.code == .persistentHistoryTokenExpired {
      // The token is read first, so that the objects are not older than the token.
      let newest = context.persistentStoreCoordinator?
        .currentPersistentHistoryToken(fromStores: nil)
      context.reset()
      return newest
    }
  }

  /// Merges the transactions of other authors into a context.
  ///
  /// - Returns: The token of the last transaction.
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
