internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

/// One history request that a context executes.
///
/// The operation finds the start in each store, reads the transactions and changes of the store,
/// selects the requested ones, and creates the result. Each request creates its own operation.
///
/// > Concurrency: Confined to the context's queue.
struct HistoryOperation {
  private typealias Place = NSPersistentHistoryChangeRequest.Place
  /// The part of a store's history that a request deletes.
  private typealias Deletion = (
    store: NSPersistentStore, part: (history: any StoreHistory, end: HistoryLimit)
  )

  private let request: NSPersistentHistoryChangeRequest
  private let context: NSManagedObjectContext
  /// The stores that the request affects and that keep a history.
  private let stores: [(store: NSPersistentStore, history: any StoreHistory)]
  /// All stores of the coordinator; a token may refer to any of them.
  private let allStores: [NSPersistentStore]

  /// Prepares a history request.
  ///
  /// - Throws: `CocoaError` if the context has no stores, or if none of the affected stores keeps a
  ///   history.
  init(
    _ request: NSPersistentHistoryChangeRequest, in context: NSManagedObjectContext
  ) throws {
    self.request = request
    self.context = context
    let coordinator = try context.requireCoordinator()
    allStores = try coordinator.requireStores("history")
    stores = try coordinator.affectedStores(of: request, "history")
      .compactMap { store in store.backend.history.map { (store, $0) } }
    guard !stores.isEmpty else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "No store has persistent history. Open a store with NSPersistentHistoryTrackingKey.")
    }
  }

  func run() throws -> NSPersistentHistoryResult {
    switch request.action {
    case .delete(let place): try delete(before: place)
    case .fetch(let place): try fetch(after: place)
    }
  }

  // MARK: Deleting

  private func delete(before place: Place) throws -> NSPersistentHistoryResult {
    let parts = try selected(
      stores.compactMap { store, history in
        end(before: place, in: store).map { (store: store, part: (history: history, end: $0)) }
      })
    var count = 0
    try NSPersistentStore.write(parts, "The deletion of history") { _, part in
      count += try surfacingErrors { try part.history.delete(before: part.end) }
    }
    let result: Any = request.resultType == .count ? NSNumber(value: count) : true
    return NSPersistentHistoryResult(result, request.resultType)
  }

  /// Returns the parts of the histories that consist of the transactions that the request's fetch
  /// request selects.
  ///
  /// - Throws: `CocoaError` 134060 if the selected transactions are not the oldest of their store.
  ///   If a history had gaps, the store could not detect that transactions after a token are
  ///   missing.
  private func selected(_ deletions: [Deletion]) throws -> [Deletion] {
    guard let fetchRequest = request.fetchRequest else { return deletions }
    let selection = try HistorySelection(fetchRequest)
    guard !selection.isOfChanges else {
      throw CocoaError.make(
        .coreData,
        "Changes cannot be deleted separately. Use NSPersistentHistoryTransaction.fetchRequest to select the "
          + "transactions to delete.")
    }
    let histories = try deletions.map { try transactions(of: $0, for: selection) }
    let all = histories.count == 1 ? histories[0] : histories.flatMap { $0 }.merged
    let wanted = Set(try selection.apply(to: all))
    return try zip(deletions, histories).compactMap { deletion, transactions -> Deletion? in
      let rest = transactions.drop { wanted.contains($0) }
      guard !rest.contains(where: { wanted.contains($0) }) else {
        throw CocoaError.make(
          .coreData,
          "Only the oldest transactions of a history can be deleted, but the fetch request excludes a transaction that "
            + "is older than a selected one. Delete by token or by date, without a fetch request.")
      }
      guard let last = transactions[..<rest.startIndex].last else { return nil }
      let end = HistoryLimit.transaction(min(last.transactionNumber, .max - 1) + 1)
      return (store: deletion.store, part: (history: deletion.part.history, end: end))
    }
  }

  /// Returns the transactions of the part of a history that a request deletes, oldest first.
  ///
  /// The history is read in pages, so that most of the transactions after the part are not read.
  private func transactions(
    of deletion: Deletion, for selection: HistorySelection
  ) throws -> [NSPersistentHistoryTransaction] {
    let (store, part) = deletion
    let pageSize = 1000
    var query = HistoryQuery(
      .beginning, includesChanges: selection.needsChanges, limit: pageSize)
    var found: [NSPersistentHistoryTransaction] = []
    while true {
      let page = try surfacingErrors { try part.history.transactions(query) }
        .prefix { !part.end.keeps($0) }
      found += page.map { transaction($0, of: store, for: query) }
      guard page.count == pageSize, let last = page.last else { return found }
      query.start = .transaction(last.number)
    }
  }

  /// Returns the end of the part of a store's history to delete; nil if the part is empty.
  private func end(before place: Place, in store: NSPersistentStore) -> HistoryLimit? {
    switch place {
    case .start: nil
    case .date(let date): .date(date.timeIntervalSinceReferenceDate)
    case .token(let token): token.numbers[store.identifier].map { .transaction($0) }
    }
  }

  // MARK: Fetching

  private func fetch(after place: Place) throws -> NSPersistentHistoryResult {
    try requireKnown(place)
    let selection = try HistorySelection(request.fetchRequest)
    let needsChanges = request.resultType != .transactionsOnly || selection.needsChanges
    var transactions: [NSPersistentHistoryTransaction] = []
    for (store, history) in stores {
      let query = HistoryQuery(
        start(after: place, in: store), includesChanges: needsChanges,
        limit: stores.count == 1 ? selection.reach : nil)
      let found = try surfacingErrors { try history.transactions(query) }
      try requireCompleteness(after: query.start, in: store, history)
      transactions += found.map { transaction($0, of: store, for: query) }
    }
    if stores.count > 1 { transactions = transactions.merged }
    return try result(selection.apply(to: transactions), selection)
  }

  /// Throws for a token that refers only to stores that the coordinator does not have.
  private func requireKnown(_ place: Place) throws {
    guard case .token(let token) = place, !token.numbers.isEmpty,
      !allStores.contains(where: { token.numbers[$0.identifier] != nil })
    else { return }
    throw CocoaError.make(
      .persistentHistoryTokenExpired,
      "The token belongs to another store. Call "
        + "currentPersistentHistoryToken(fromStores:), read everything again, and continue from this token."
    )
  }

  private func start(after place: Place, in store: NSPersistentStore) -> HistoryQuery.Start {
    switch place {
    case .start: return .beginning
    case .date(let date): return .date(date.timeIntervalSinceReferenceDate)
    case .token(let token):
      // A store that the token does not contain was added later, so its whole history is new.
      guard let number = token.numbers[store.identifier] else { return .beginning }
      return .transaction(number)
    }
  }

  /// Throws if any transaction after a start was deleted.
  ///
  /// The check comes after the transactions were read, because another process may delete
  /// transactions until then.
  private func requireCompleteness(
    after start: HistoryQuery.Start, in store: NSPersistentStore, _ history: any StoreHistory
  ) throws {
    guard case .transaction(let number) = start,
      try !surfacingErrors({ try history.bounds() }).continues(after: number)
    else { return }
    throw CocoaError.make(
      .persistentHistoryTokenExpired,
      "The history after the token was deleted. Call "
        + "currentPersistentHistoryToken(fromStores:), read everything again, and continue from this token.",
      path: store.url?.path)
  }

  // MARK: Results

  private func transaction(
    _ transaction: StoreHistoryTransaction, of store: NSPersistentStore, for query: HistoryQuery
  ) -> NSPersistentHistoryTransaction {
    let storeID: String = store.identifier
    let plain = NSPersistentHistoryTransaction(transaction, storeID: storeID, changes: nil)
    guard query.includesChanges else { return plain }
    let changes = transaction.changes.map { change in
      let entity = context.model.entities[Int(change.id.entityIndex)]
      let id = NSManagedObjectID(store: store, entity: entity, key: change.id.key)
      return NSPersistentHistoryChange(change, id: id, transaction: plain)
    }
    return NSPersistentHistoryTransaction(transaction, storeID: storeID, changes: changes)
  }

  private func result(
    _ transactions: [NSPersistentHistoryTransaction], _ selection: HistorySelection
  ) throws -> NSPersistentHistoryResult {
    let changes = try selection.apply(to: transactions.flatMap { $0.changes ?? [] })
    let wanted = selection.isOfChanges ? transactions.keeping(changes) : transactions
    let result: Any =
      switch request.resultType {
      case .statusOnly: true
      case .objectIDs: changes.map(\.changedObjectID).uniqued
      case .count: NSNumber(value: changes.count)
      case .changesOnly: changes
      case .transactionsAndChanges: wanted
      case .transactionsOnly: wanted.map(\.withoutChanges)
      }
    return NSPersistentHistoryResult(result, request.resultType)
  }
}

extension NSPersistentHistoryTransaction {
  /// This transaction, or a copy of it without changes.
  fileprivate var withoutChanges: NSPersistentHistoryTransaction {
    changes == nil ? self : NSPersistentHistoryTransaction(self, changes: nil)
  }
}

extension [NSPersistentHistoryTransaction] {
  /// The transactions of several stores in the order of their dates.
  ///
  /// The transactions of each store keep their order, even if the clock was set back between two
  /// transactions. A token contains only the last number of each store, so reading the transactions
  /// after a token would otherwise omit or repeat transactions.
  fileprivate var merged: [NSPersistentHistoryTransaction] {
    var latest: [String: Date] = [:]
    var dated: [(date: Date, transaction: NSPersistentHistoryTransaction)] = []
    for transaction in self {
      let date = latest[transaction.storeID].map { Swift.max($0, transaction.timestamp) }
      latest[transaction.storeID] = date ?? transaction.timestamp
      dated.append((date ?? transaction.timestamp, transaction))
    }
    // The sort is stable.
    return dated.sorted { $0.date < $1.date }.map { $0.transaction }
  }

  /// The transactions that have any of the given changes, with only these changes.
  fileprivate func keeping(
    _ changes: [NSPersistentHistoryChange]
  ) -> [NSPersistentHistoryTransaction] {
    let groups = Dictionary(grouping: changes, by: \.transaction)
    return compactMap { transaction in
      groups[transaction].map { NSPersistentHistoryTransaction(transaction, changes: $0) }
    }
  }
}

extension [NSManagedObjectID] {
  /// The ids in their order, without duplicates.
  fileprivate var uniqued: [NSManagedObjectID] {
    var seen: Set<NSManagedObjectID> = []
    return filter { seen.insert($0).inserted }
  }
}
