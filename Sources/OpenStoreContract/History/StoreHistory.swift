/// The history that a store keeps of its changes.
///
/// Transaction numbers always increase; deletion removes the oldest transactions.
///
/// > Concurrency: Any thread.
public protocol StoreHistory: Sendable {
  /// The numbers of the transactions that are there.
  func bounds() throws(StoreError) -> HistoryBounds

  /// The transactions that a query selects, oldest first.
  func transactions(_ query: HistoryQuery) throws(StoreError) -> [StoreHistoryTransaction]

  /// Deletes transactions from the oldest on.
  ///
  /// - Returns: How many were deleted.
  func delete(before limit: HistoryLimit) throws(StoreError) -> Int

  /// How far each named consumer has read: the number of the last transaction it is done with.
  func consumers() throws(StoreError) -> [String: Int64]

  /// Remembers how far a consumer has read; nil forgets it.
  func setConsumer(_ name: String, _ transaction: Int64?) throws(StoreError)
}

/// The numbers of the transactions that a history has.
public struct HistoryBounds: Sendable, Hashable {
  /// The oldest transaction in the history; nil if it is empty.
  public var first: Int64?
  /// The newest transaction ever recorded; 0 before the first one.
  public var last: Int64

  public init(first: Int64?, last: Int64) {
    self.first = first
    self.last = last
  }

  /// Whether the history contains all transactions after a transaction, and once contained that transaction.
  ///
  /// - Returns: `true` if the history contains all transactions after a transaction, and once contained that
  ///   transaction.
  public func continues(after number: Int64) -> Bool {
    if number >= last { return number == last }
    guard let first, number >= 0 else { return false }
    return number >= first &- 1
  }
}

/// The selection of transactions from a history.
public struct HistoryQuery: Sendable {
  /// The start of the selection.
  public enum Start: Sendable, Hashable {
    case beginning
    /// Behind the transaction of a number.
    case transaction(Int64)
    /// Behind a moment, in seconds since 2001-01-01 UTC.
    case date(Double)
  }

  public var start: Start
  /// Whether changes are included, not only transactions.
  public var includesChanges: Bool

  public init(_ start: Start, includesChanges: Bool = true) {
    self.start = start
    self.includesChanges = includesChanges
  }
}

/// The end of the history to delete.
public enum HistoryLimit: Sendable, Hashable {
  /// At the transaction of a number, which stays.
  case transaction(Int64)
  /// At the first transaction that is not older than a moment, in seconds since 2001-01-01 UTC.
  case date(Double)
}
