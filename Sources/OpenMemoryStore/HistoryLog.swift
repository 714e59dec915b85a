import Foundation
import OpenObjectModel
import OpenStoreContract

/// The persistent history of a memory store: its transactions and the positions of its consumers.
struct HistoryLog: Sendable {
  private(set) var transactions: [StoreHistoryTransaction] = []
  private(set) var lastNumber: Int64 = 0
  private var lastChange: Int64 = 0
  var consumers: [String: Int64] = [:]

  /// Records a change set.
  ///
  /// - Parameter removed: The former rows that the change set replaces or deletes.
  /// - Returns: The number of the transaction, or nil if the change set contains no changes to
  ///   record.
  mutating func record(
    _ changeSet: ChangeSet, removing removed: [Row], of model: CompiledModel
  ) -> Int64? {
    var changes = changeSet.historyChanges(of: model)
    guard !changes.isEmpty else { return nil }
    let rows = Dictionary(removed.map { ($0.objectKey, $0) }) { $1 }
    for index in changes.indices {
      lastChange += 1
      changes[index].number = lastChange
      if changes[index].kind == .delete, let row = rows[changes[index].id] {
        changes[index].tombstone = row.preservedValues(in: model)
      }
    }
    lastNumber += 1
    transactions.append(
      StoreHistoryTransaction(
        number: lastNumber, timestamp: Date().timeIntervalSinceReferenceDate,
        origin: changeSet.origin, changes: changes))
    return lastNumber
  }

  var bounds: HistoryBounds {
    HistoryBounds(first: transactions.first?.number, last: lastNumber)
  }

  func transactions(_ query: HistoryQuery) -> [StoreHistoryTransaction] {
    let selected = transactions.lazy.filter { transaction in
      switch query.start {
      case .beginning: true
      case .transaction(let number): transaction.number > number
      case .date(let date): transaction.timestamp > date
      }
    }
    let wanted = Array(selected.prefix(max(0, query.limit ?? .max)))
    guard !query.includesChanges else { return wanted }
    return wanted.map {
      StoreHistoryTransaction(number: $0.number, timestamp: $0.timestamp, origin: $0.origin)
    }
  }

  /// Deletes the transactions before a limit and returns the number of deleted transactions.
  mutating func delete(before limit: HistoryLimit) -> Int {
    let count = transactions.firstIndex(where: limit.keeps) ?? transactions.count
    transactions.removeFirst(count)
    return count
  }
}

/// The persistent history of a memory store, as the object graph reads and changes it.
struct MemoryHistory: StoreHistory {
  let store: MemoryStore

  func bounds() throws(StoreError) -> HistoryBounds { try store.withHistory { $0.bounds } }

  func transactions(_ query: HistoryQuery) throws(StoreError) -> [StoreHistoryTransaction] {
    try store.withHistory { $0.transactions(query) }
  }

  func delete(before limit: HistoryLimit) throws(StoreError) -> Int {
    try store.requireWritable()
    return try store.withHistory { $0.delete(before: limit) }
  }

  func consumers() throws(StoreError) -> [String: Int64] {
    try store.withHistory { $0.consumers }
  }

  func setConsumer(_ name: String, _ transaction: Int64?) throws(StoreError) {
    try store.requireWritable()
    try store.withHistory { $0.consumers[name] = transaction }
  }
}
