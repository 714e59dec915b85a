/// A store that reports the size of its content in bytes.
public protocol UsageReporting: StoreBackend {
  /// Measures the store's content, excluding free space in its files.
  ///
  /// - Returns: The sizes of the objects and of the history, in bytes.
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read or measured.
  /// - Complexity: O(*n*) in the number of pages of the store.
  func usage() throws(StoreError) -> StoreUsage
}

/// The size of a store's content, in bytes.
public struct StoreUsage: Sendable, Hashable {
  /// The size, in bytes, of the rows, indexes, join tables and external files, and of the model
  /// that the store contains.
  public var objectBytes: Int64
  /// The size of the history, in bytes.
  public var historyBytes: Int64

  /// The size of the objects and the history together, in bytes.
  public var totalBytes: Int64 { objectBytes + historyBytes }

  /// Creates a description of a store's size.
  ///
  /// - Parameters:
  ///   - objectBytes: The size of the objects, in bytes.
  ///   - historyBytes: The size of the history, in bytes.
  public init(objectBytes: Int64, historyBytes: Int64) {
    self.objectBytes = objectBytes
    self.historyBytes = historyBytes
  }
}
