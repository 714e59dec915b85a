public import Foundation
internal import OpenStoreContract

extension NSPersistentStoreCoordinator {
  /// Returns a token for the position after the last committed transaction of each store.
  ///
  /// - Parameter stores: The stores; nil or an empty array for all stores of the coordinator.
  /// - Returns: The token; nil if none of the stores records history, or if the history of any
  ///   store cannot be read. A token without the unreadable store would be wrong, because a request
  ///   after that token would return the complete history of the store.
  /// > Concurrency: Usable on any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator, currentPersistentHistoryToken(fromStores:).
  public func currentPersistentHistoryToken(
    fromStores stores: [NSPersistentStore]?
  ) -> NSPersistentHistoryToken? {
    let chosen = stores ?? []
    let (numbers, isComplete) = newestNumbers(in: chosen.isEmpty ? persistentStores : chosen)
    return isComplete && !numbers.isEmpty ? NSPersistentHistoryToken(numbers) : nil
  }

  /// The number of the last transaction of each store whose history can be read, by store
  /// identifier.
  package var readableHistoryNumbers: [String: Int64] {
    newestNumbers(in: persistentStores).numbers
  }

  /// Whether any store records history.
  package var recordsHistory: Bool { !histories.isEmpty }

  private func newestNumbers(
    in stores: [NSPersistentStore]
  ) -> (numbers: [String: Int64], isComplete: Bool) {
    var numbers: [String: Int64] = [:]
    var isComplete = true
    for store in stores {
      do throws(StoreError) {
        guard let history = store.backend.history else { continue }
        numbers[store.identifier] = try history.bounds().last
      } catch {
        GraphLog.error("The history of a store cannot be read: \(error)")
        isComplete = false
      }
    }
    return (numbers, isComplete)
  }

  private var histories: [(store: NSPersistentStore, history: any StoreHistory)] {
    persistentStores.compactMap { store in store.backend.history.map { (store, $0) } }
  }

  // MARK: Consumers

  /// Returns the position up to which a named consumer has processed the history.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter name: The consumer's name, such as the name of an app extension.
  /// - Returns: The position that ``setHistoryToken(_:forConsumer:)`` recorded; nil for an unknown
  ///   consumer.
  /// - Throws: `CocoaError` with the code of the store's error (see `Docs/Errors.md`) if the
  ///   history of a store cannot be read.
  /// > Concurrency: Usable on any thread.
  public func historyToken(forConsumer name: String) throws -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for (store, history) in histories {
      numbers[store.identifier] = try surfacingErrors { try history.consumers()[name] }
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }

  /// Records the position up to which a named consumer has processed the history.
  ///
  /// The position is saved in the metadata of each store that the token contains.
  /// ``pruneHistory(_:)`` keeps every transaction until all consumers have processed it. A store
  /// that the token does not contain keeps its previously recorded position.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - token: The position; nil removes the consumer from all stores.
  ///   - name: The consumer's name.
  /// - Throws: `CocoaError` 134030 if a store to write is read-only; `CocoaError` with the code of
  ///   the store's error (see `Docs/Errors.md`) if a store cannot be written for another reason.
  ///   Stores that were written before the error keep the new position.
  /// > Concurrency: Usable on any thread.
  public func setHistoryToken(
    _ token: NSPersistentHistoryToken?, forConsumer name: String
  ) throws {
    for (store, history) in histories {
      let number = token?.numbers[store.identifier]
      if token != nil, number == nil { continue }
      try surfacingErrors { try history.setConsumer(name, number) }
    }
  }

  // MARK: Retention

  /// Deletes old transactions from the history, but keeps each transaction until all consumers have
  /// processed it.
  ///
  /// The limits apply to each store separately. The method skips read-only stores.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter retention: The limits beyond which transactions are deleted.
  /// - Returns: The number of deleted transactions in all stores.
  /// - Throws: `CocoaError` with the code of the store's error (see `Docs/Errors.md`) if a store
  ///   cannot be read or written.
  /// > Concurrency: Usable on any thread.
  @discardableResult
  public func pruneHistory(_ retention: HistoryRetention) throws -> Int {
    var count = 0
    for (store, history) in histories where !store.isReadOnly {
      count += try surfacingErrors { try retention.apply(to: history) }
    }
    return count
  }
}

/// The limits beyond which ``NSPersistentStoreCoordinator/pruneHistory(_:)`` deletes transactions.
///
/// A transaction is beyond the limits if it is older than ``maximumAge``, or if it is not among the
/// newest ``maximumCount`` transactions of its store.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct HistoryRetention: Sendable, Hashable {
  /// The maximum age of a transaction, in seconds; nil or NaN for no limit. A negative number
  /// counts as 0.
  public var maximumAge: TimeInterval?
  /// The maximum number of transactions in each store; nil for no limit. A negative number counts
  /// as 0.
  public var maximumCount: Int?

  /// Creates limits for the history.
  ///
  /// If both arguments are nil, no transaction is deleted.
  ///
  /// - Parameters:
  ///   - maximumAge: The maximum age of a transaction, in seconds; nil or NaN for no limit. A
  ///     negative number counts as 0.
  ///   - maximumCount: The maximum number of transactions in each store; nil for no limit. A
  ///     negative number counts as 0.
  public init(maximumAge: TimeInterval? = nil, maximumCount: Int? = nil) {
    self.maximumAge = maximumAge
    self.maximumCount = maximumCount
  }

  /// Deletes the transactions beyond the limits and returns their number.
  func apply(to history: any StoreHistory) throws(StoreError) -> Int {
    let bounds = try history.bounds()
    var limits: [Int64] = []
    if let maximumCount {
      limits.append(bounds.last &- Int64(max(0, maximumCount)) &+ 1)
    }
    if let maximumAge, !maximumAge.isNaN {
      let date = Date().timeIntervalSinceReferenceDate - maximumAge
      let kept = try history.transactions(
        HistoryQuery(.date(date), includesChanges: false, limit: 1))
      limits.append(kept.first?.number ?? bounds.last &+ 1)
    }
    guard var limit = limits.max() else { return 0 }
    for done in try history.consumers().values { limit = min(limit, done &+ 1) }
    guard let first = bounds.first, limit > first else { return 0 }
    return try history.delete(before: .transaction(limit))
  }
}
