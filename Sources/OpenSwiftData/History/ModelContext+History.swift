internal import Foundation
internal import OpenObjectGraph

extension ModelContext {
  /// Finds what was saved to the container's stores, by whichever context or process.
  ///
  /// - Returns: The transactions in the order that the descriptor asks for; oldest first without one.
  /// - Throws: `SwiftDataError.historyTokenExpired` when the predicate asks for what is behind a token, and a part of that was deleted;
  ///   `.invalidTransactionFetchRequest` when no store keeps transactions of the type; `.unsupportedSortDescriptor`; errors of the
  ///   store and of the predicate.
  /// > Reference: Apple, fetchHistory(_:). Differs: D-360.
  public func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]
  {
    graph.takeOverChanges()
    if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> {
      return try HistoryReading(graph).transactions(descriptor) as? [T] ?? []
    }
    return try customHistories(of: T.self).flatMap { try $0.fetchHistory(descriptor) }
  }

  /// Deletes transactions from the histories of the container's stores.
  ///
  /// A default store deletes its oldest transactions only, so that what is behind a token is there as a whole or not at all.
  ///
  /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` when the descriptor leaves out a transaction that is older than another one
  ///   it has; otherwise as ``fetchHistory(_:)``. Nothing is deleted then.
  /// > Reference: Apple, deleteHistory(_:). Differs: D-361.
  public func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws {
    graph.takeOverChanges()
    if let descriptor = descriptor as? HistoryDescriptor<DefaultHistoryTransaction> {
      return try HistoryReading(graph).delete(descriptor)
    }
    for history in try customHistories(of: T.self) { try history.deleteHistory(descriptor) }
  }

  /// The custom stores that keep transactions of a type.
  private func customHistories<T: HistoryTransaction>(
    of type: T.Type
  ) throws -> [any HistoryProviding<T>] {
    let found = container.customStores.compactMap { $0 as? any HistoryProviding<T> }
    guard found.isEmpty else { return found }
    throw SwiftDataError(
      .invalidTransactionFetchRequest,
      "None of the container's stores keeps transactions of the type \(type).")
  }
}
