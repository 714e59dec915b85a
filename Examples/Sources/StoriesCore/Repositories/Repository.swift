import OpenPersistenceKit

/// Fetches, saves and deletes the items of one kind, wherever they are kept.
///
/// `Query` says which items: `FetchDescriptor` for models, `NSFetchRequest` for managed objects.
///
/// > Concurrency: Confined to the actor that uses its context.
public protocol StoriesRepository<Item, Query> {
  associatedtype Item
  associatedtype Query

  /// The items that a query finds, in its order.
  func fetch(_ query: Query) async throws -> [Item]
  /// Adds an item and saves it.
  func save(_ item: Item) async throws
  /// Deletes an item and saves.
  func delete(_ item: Item) async throws
  /// Saves the changes of an item that was fetched or saved before.
  func update(_ item: Item) async throws
}

extension StoriesRepository {
  /// Saves an item, and tries again after failures that can pass, such as a store that another program has locked.
  ///
  /// The pauses are one second, two seconds and so on.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - attempts: How often it is tried at most.
  ///   - clock: What the pauses are measured by.
  /// - Throws: `PersistenceError.saveFailed` with the last error; `CancellationError` when the task was cancelled during a pause.
  public func saveWithRetry(
    _ item: Item, attempts: Int = 3, clock: any Clock<Duration> = ContinuousClock()
  ) async throws {
    var attempt = 1
    while true {
      do {
        return try await save(item)
      } catch {
        let cause = PersistenceError.cause(of: error)
        guard attempt < attempts, ErrorKind.isTransient(cause) else {
          throw PersistenceError.saveFailed(cause)
        }
      }
      try await clock.sleep(for: .seconds(attempt))
      attempt += 1
    }
  }
}
