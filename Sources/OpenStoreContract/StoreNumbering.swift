/// A store that numbers its rows and the transactions of its history, and never reuses a number.
package protocol StoreNumbering: StoreBackend {
  /// Returns the last assigned keys, keyed by the position of the root entity in the model.
  ///
  /// The rows with these keys may have been deleted. Entities without an assigned key are omitted.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  func lastKeys() throws(StoreError) -> [Int: Int64]

  /// Returns the number of the last transaction of the history; nil if the store contains no
  /// history.
  ///
  /// The method returns the number even if the transaction was deleted, or if the store was opened
  /// without the option for the history.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  func lastTransaction() throws(StoreError) -> Int64?
}

extension StoreNumbering {
  /// Returns the value of ``StoreConfiguration/historyBase`` for a new store that has this store's
  /// identifier, but not its history; 0 if this store contains no history.
  ///
  /// The value is greater than the number of the last transaction. No token of this store is
  /// therefore valid for the new store.
  ///
  /// - Throws: `StoreError` with code `.closed` if the store is closed, or with another code if the
  ///   store cannot be read.
  package func successorHistoryBase() throws(StoreError) -> Int64 {
    guard let last = try lastTransaction() else { return 0 }
    return min(last, .max - 1) + 1
  }
}
