/// A store that reports the size of its content in bytes.
public protocol UsageReporting: StoreBackend {
  /// Measures the store's content; free space inside its files does not count.
  ///
  /// - Returns: The bytes of objects and of the history.
  /// - Throws: `StoreError` when the store cannot be read or measured.
  /// - Complexity: O(*n*) in the store's pages.
  func usage() throws(StoreError) -> StoreUsage
}

/// The size of a store's content, in bytes.
public struct StoreUsage: Sendable, Hashable {
  /// The size in bytes of rows, indexes, join tables, referenced external values and the model stored in the store.
  public var objectBytes: Int64
  /// The size of the history, in bytes.
  public var historyBytes: Int64

  /// The total size, in bytes.
  public var totalBytes: Int64 { objectBytes + historyBytes }

  /// Describes a store's content.
  ///
  /// - Parameters:
  ///   - objectBytes: The size of the objects, in bytes.
  ///   - historyBytes: The size of the history, in bytes.
  public init(objectBytes: Int64, historyBytes: Int64) {
    self.objectBytes = objectBytes
    self.historyBytes = historyBytes
  }
}
