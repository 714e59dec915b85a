/// A store that reports the size of its content in bytes.
public protocol UsageReporting: StoreBackend {
  /// Measures the store's content; free space inside its files does not count.
  ///
  /// - Returns: The bytes of objects and of the history.
  /// - Throws: `StoreError` when the store cannot be read or measured.
  /// - Complexity: O(*n*) in the store's pages.
  func usage() throws(StoreError) -> StoreUsage
}

/// How many bytes a store's content takes.
public struct StoreUsage: Sendable, Hashable {
  /// Bytes of the objects: rows, indexes, join tables, external values that rows name, and what the store keeps of its model.
  public var objectBytes: Int64
  /// Bytes of the history of changes.
  public var historyBytes: Int64

  /// Bytes of everything.
  public var totalBytes: Int64 { objectBytes + historyBytes }

  /// Describes a store's content.
  ///
  /// - Parameters:
  ///   - objectBytes: Bytes of the objects.
  ///   - historyBytes: Bytes of the history of changes.
  public init(objectBytes: Int64, historyBytes: Int64) {
    self.objectBytes = objectBytes
    self.historyBytes = historyBytes
  }
}
