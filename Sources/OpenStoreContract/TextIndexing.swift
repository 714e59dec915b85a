/// A store that can maintain full-text indexes of its rows.
public protocol TextIndexing: StoreBackend {
  /// Returns the text indexes that the store contains and uses; empty if there are none.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   indexes cannot be listed.
  func textIndexes() throws(StoreError) -> [TextIndexState]

  /// Compares the text indexes with the rows.
  ///
  /// - Returns: The names of the tables whose text index does not match their rows; empty if all
  ///   indexes are intact.
  /// - Throws: `StoreError` with code `.readOnly` if the store is read-only, with code `.closed` if
  ///   the store is closed, or with another code if the store cannot be read.
  func damagedTextIndexes() throws(StoreError) -> [String]

  /// Rebuilds the text indexes from the rows in one transaction.
  ///
  /// - Throws: `StoreError` with code `.readOnly` if the store is read-only, with code `.closed` if
  ///   the store is closed, or with another code if the indexes cannot be rebuilt. After an error,
  ///   the indexes are unchanged.
  func rebuildTextIndexes() throws(StoreError)
}

/// A full-text index of one table.
public struct TextIndexState: Sendable, Hashable {
  /// The name of the indexed table.
  public var table: String
  /// The names of the indexed columns.
  public var columns: [String]
  /// The lengths, in characters, of the word prefixes that are indexed in addition to complete
  /// words.
  public var prefixLengths: [Int]

  /// Creates a description of an index.
  ///
  /// - Parameters:
  ///   - table: The name of the indexed table.
  ///   - columns: The names of the indexed columns.
  ///   - prefixLengths: The lengths, in characters, of the word prefixes that are indexed in
  ///     addition to complete words.
  public init(table: String, columns: [String], prefixLengths: [Int] = []) {
    self.table = table
    self.columns = columns
    self.prefixLengths = prefixLengths
  }
}
