public import Foundation
internal import OpenStoreContract

extension NSPersistentStoreCoordinator {
  /// The position after the last committed transaction.
  ///
  /// - Parameter stores: The stores; nil for all stores of the coordinator.
  /// - Returns: The token; nil if none of the stores records history, or the history cannot be read.
  /// > Concurrency: Any thread.
  /// > Reference: Apple, NSPersistentStoreCoordinator, currentPersistentHistoryToken(fromStores:).
  public func currentPersistentHistoryToken(
    fromStores stores: [NSPersistentStore]?
  ) -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for store in stores ?? persistentStores {
      do throws(StoreError) {
        guard let history = store.backend.history else { continue }
        numbers[store.identifier] = try history.bounds().last
      } catch {
        GraphLog.error("The history of a store cannot be read: \(error)")
      }
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }

  private var histories: [(store: NSPersistentStore, history: any StoreHistory)] {
    persistentStores.compactMap { store in store.backend.history.map { (store, $0) } }
  }

  // MARK: Consumers

  /// The position up to which a named consumer has processed the history; nil for an unknown consumer.
  ///
  /// An addition to Apple's API.
  ///
  /// - Parameter name: The consumer's name: an extension, a part of a program, a synchronization.
  /// - Returns: The position; nil for an unknown consumer.
  /// - Throws: `CocoaError` when a store cannot be read.
  /// > Concurrency: Any thread.
  public func historyToken(forConsumer name: String) throws -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for (store, history) in histories {
      numbers[store.identifier] = try mapping { () throws(StoreError) in
        try history.consumers()[name]
      }
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }

  /// Records in the stores the position up to which a named consumer has processed the history.
  ///
  /// `pruneHistory(_:)` keeps the transactions after the position of every consumer. An addition to Apple's API.
  ///
  /// - Parameters:
  ///   - token: The position; nil removes the consumer, so no transactions are kept for it.
  ///   - name: The consumer's name.
  /// - Throws: `CocoaError` if a store cannot be written.
  /// > Concurrency: Any thread.
  public func setHistoryToken(
    _ token: NSPersistentHistoryToken?, forConsumer name: String
  ) throws {
    for (store, history) in histories {
      let number = token?.numbers[store.identifier]
      if token != nil, number == nil { continue }
      try mapping { () throws(StoreError) in try history.setConsumer(name, number) }
    }
  }

  // MARK: Retention

  /// Deletes old history, except transactions that a consumer has not read.
  ///
  /// Each store is pruned separately. An addition to Apple's API.
  ///
  /// - Parameter retention: The history to keep.
  /// - Returns: The number of deleted transactions.
  /// - Throws: `CocoaError` when a store cannot be read or written.
  /// > Concurrency: Any thread.
  @discardableResult
  public func pruneHistory(_ retention: HistoryRetention) throws -> Int {
    var count = 0
    for (store, history) in histories where !store.isReadOnly {
      count += try mapping { () throws(StoreError) in try retention.apply(to: history) }
    }
    return count
  }
}

/// The amount of history that pruning keeps. An addition to Apple's API.
///
/// A transaction is deleted if it exceeds one of the limits: its age, or the number of transactions after it.
public struct HistoryRetention: Sendable, Hashable {
  /// The maximum age of a transaction, in seconds; nil for any.
  public var maximumAge: TimeInterval?
  /// The maximum number of transactions; nil for any.
  public var maximumCount: Int?

  /// Creates a policy; without limits it keeps everything.
  public init(maximumAge: TimeInterval? = nil, maximumCount: Int? = nil) {
    self.maximumAge = maximumAge
    self.maximumCount = maximumCount
  }

  /// Deletes what need not stay, and returns how many transactions that were.
  func apply(to history: any StoreHistory) throws(StoreError) -> Int {
    let bounds = try history.bounds()
    var limits: [Int64] = []
    if let maximumCount {
      limits.append(bounds.last &- Int64(max(0, maximumCount)) &+ 1)
    }
    if let maximumAge {
      let date = Date().timeIntervalSinceReferenceDate - maximumAge
      let kept = try history.transactions(HistoryQuery(.date(date), includesChanges: false))
      limits.append(kept.map(\.number).min() ?? bounds.last &+ 1)
    }
    guard var limit = limits.max() else { return 0 }
    for done in try history.consumers().values { limit = min(limit, done &+ 1) }
    guard let first = bounds.first, limit > first else { return 0 }
    return try history.delete(before: .transaction(limit))
  }
}
