/// A store that can keep an index of the words in its rows.
public protocol TextIndexing: StoreBackend {
  /// The indexes that the store has and uses.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  func textIndexes() throws(StoreError) -> [TextIndexState]

  /// Compares the indexes with the rows.
  ///
  /// - Returns: The tables whose index does not agree with the rows; nothing for sound indexes.
  /// - Throws: `StoreError`: `.readOnly`, or when the store cannot be read.
  func damagedTextIndexes() throws(StoreError) -> [String]

  /// Rebuilds the indexes from the rows, in one transaction.
  ///
  /// - Throws: `StoreError`; the indexes are as before then.
  func rebuildTextIndexes() throws(StoreError)
}

/// An index of the words of one table.
public struct TextIndexState: Sendable, Hashable {
  /// The table with the rows.
  public var table: String
  /// The columns whose words it has.
  public var columns: [String]
  /// The lengths of word prefixes that it also indexes.
  public var prefixLengths: [Int]

  /// Describes an index.
  ///
  /// - Parameters:
  ///   - table: The table with the rows.
  ///   - columns: The columns whose words it has.
  ///   - prefixLengths: The lengths of word prefixes that it also indexes.
  public init(table: String, columns: [String], prefixLengths: [Int] = []) {
    self.table = table
    self.columns = columns
    self.prefixLengths = prefixLengths
  }
}
