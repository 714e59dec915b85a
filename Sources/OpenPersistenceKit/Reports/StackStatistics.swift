public import Foundation
public import OpenObjectGraph
internal import OpenStoreContract

/// Statistics of a stack: pending changes of its main context, and its stores.
///
/// > Concurrency: A value.
public struct StackStatistics: Sendable, Hashable {
  /// Whether the main context has unsaved changes.
  public var hasChanges: Bool
  /// The number of inserted objects that are not saved.
  public var insertedCount: Int
  /// The number of changed objects that are not saved.
  public var updatedCount: Int
  /// The number of deleted objects that are not saved.
  public var deletedCount: Int
  /// The stores, in the order in which they were added.
  public var stores: [Store]

  /// One store.
  public struct Store: Sendable, Hashable {
    /// The store's type: `SQLite`, `InMemory`.
    public var type: String
    /// The store's file; nil for one without.
    public var url: URL?
    /// The size of the file, its log and its external values, in bytes; nil without a file.
    public var byteCount: Int64?

    /// Describes a store.
    ///
    /// - Parameters:
    ///   - type: The store's type.
    ///   - url: The store's file; nil for one without.
    ///   - byteCount: The size of the file, its log and its external values, in bytes; nil without a file.
    public init(type: String, url: URL?, byteCount: Int64?) {
      self.type = type
      self.url = url
      self.byteCount = byteCount
    }
  }

  /// Collects the statistics of a context and its stores; call on the context's queue.
  ///
  /// - Parameter context: The context, usually the main one.
  public init(of context: NSManagedObjectContext) {
    hasChanges = context.hasChanges
    insertedCount = context.insertedObjects.count
    updatedCount = context.updatedObjects.count
    deletedCount = context.deletedObjects.count
    stores = (context.persistentStoreCoordinator?.persistentStores ?? []).map { store in
      let file = store.url.flatMap { $0.isInMemory ? nil : $0 }
      return Store(type: store.type, url: file, byteCount: file.map(StoreSize.onDisk))
    }
  }

  /// The statistics as lines.
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
