public import Foundation
public import OpenObjectGraph
internal import OpenStoreContract

/// The statistics of a stack: the pending changes of its main context, and its stores.
///
/// > Concurrency: A value type; usable on any thread.
public struct StackStatistics: Sendable, Hashable {
  /// Whether the main context has unsaved changes.
  public var hasChanges: Bool
  /// The number of inserted objects that are not yet saved.
  public var insertedCount: Int
  /// The number of changed objects that are not yet saved.
  public var updatedCount: Int
  /// The number of deleted objects that are not yet saved.
  public var deletedCount: Int
  /// The stores, in the order in which they were added.
  public var stores: [Store]

  /// The statistics of a store.
  public struct Store: Sendable, Hashable {
    /// The store's type, such as `SQLite` or `InMemory`.
    public var type: String
    /// The URL of the store; nil for an in-memory store.
    public var url: URL?
    /// The size, in bytes, of the store's file, write-ahead log and external values; nil for a
    /// store in memory or on a server.
    public var byteCount: Int64?

    /// Creates the statistics of a store.
    ///
    /// - Parameters:
    ///   - type: The store's type.
    ///   - url: The URL of the store; nil for an in-memory store.
    ///   - byteCount: The size, in bytes, of the store's file, write-ahead log and external values;
    ///     nil for a store in memory or on a server.
    public init(type: String, url: URL?, byteCount: Int64?) {
      self.type = type
      self.url = url
      self.byteCount = byteCount
    }
  }

  /// Collects the statistics of a context and its stores.
  ///
  /// - Parameter context: The context, usually the main context. Call the initializer on this
  ///   context's queue.
  public init(of context: NSManagedObjectContext) {
    hasChanges = context.hasChanges
    insertedCount = context.insertedObjects.count
    updatedCount = context.updatedObjects.count
    deletedCount = context.deletedObjects.count
    stores = (context.persistentStoreCoordinator?.persistentStores ?? []).map { store in
      let url = store.url.flatMap { $0.isInMemory ? nil : $0 }
      let byteCount = url.flatMap { $0.isFileURL ? StoreSize.onDisk($0) : nil }
      return Store(type: store.type, url: url, byteCount: byteCount)
    }
  }

  /// The statistics as several lines of text.
  public var text: String {
    var lines = [
      "📊 Core Data Statistics", "   View Context:", "     - Has changes: \(hasChanges)",
      "     - Inserted: \(insertedCount)", "     - Updated: \(updatedCount)",
      "     - Deleted: \(deletedCount)",
    ]
    for store in stores {
      lines += ["   Store:", "     - Type: \(store.type)"]
      if let url = store.url { lines.append("     - URL: \(url.path)") }
      if let byteCount = store.byteCount {
        lines.append("     - Size: \(StoreSize.text(of: byteCount))")
      }
    }
    return lines.joined(separator: "\n")
  }
}
