internal import Foundation
internal import OpenObjectModel
internal import OpenStoreContract

// Requests of history: places by store → `StoreHistory` → transactions and changes → selection → result.

extension NSManagedObjectContext {
  func history(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
    let stores = try historyStores(of: request)
    switch request.action {
    case .delete(let place):
      var count = 0
      for (store, history) in stores { count += try delete(before: place, in: store, history) }
      let result: Any = request.resultType == .count ? NSNumber(value: count) : true
      return NSPersistentHistoryResult(result, request.resultType)
    case .fetch(let place): return try fetchHistory(after: place, request, stores)
    }
  }

  private func historyStores(
    of request: NSPersistentStoreRequest
  ) throws -> [(NSPersistentStore, any StoreHistory)] {
    let wanted = request.affectedStores ?? []
    let stores = try requireStores("history").filter { store in
      wanted.isEmpty || wanted.contains { $0 === store }
    }
    let found = stores.compactMap { store in store.backend.history.map { (store, $0) } }
    guard !found.isEmpty else {
      throw CocoaError.make(
        .persistentStoreUnsupportedRequestType,
        "No store keeps a history; open one with NSPersistentHistoryTrackingKey.")
    }
    return found
  }

  private func delete(
    before place: NSPersistentHistoryChangeRequest.Place, in store: NSPersistentStore,
    _ history: any StoreHistory
  ) throws -> Int {
    try reporting {
      switch place {
      case .start: return 0
      case .date(let date):
        return try history.delete(before: .date(date.timeIntervalSinceReferenceDate))
      case .token(let token):
        guard let number = token.numbers[store.identifier] else { return 0 }
        return try history.delete(before: .transaction(number))
      }
    }
  }

  // MARK: Fetching

  private func fetchHistory(
    after place: NSPersistentHistoryChangeRequest.Place,
    _ request: NSPersistentHistoryChangeRequest,
    _ stores: [(NSPersistentStore, any StoreHistory)]
  ) throws -> NSPersistentHistoryResult {
    try requireKnown(place)
    let selection = try HistorySelection(request.fetchRequest)
    let withChanges = request.resultType != .transactionsOnly || selection.needsChanges
    var transactions: [NSPersistentHistoryTransaction] = []
    for (store, history) in stores {
      let query = HistoryQuery(
        try start(after: place, in: store, history), includesChanges: withChanges)
      transactions += try reporting { try history.transactions(query) }
        .map { make($0, of: store, withChanges: withChanges) }
    }
    if stores.count > 1 { transactions.sort { $0.timestamp < $1.timestamp } }
    return result(selection.apply(to: transactions), selection, request.resultType)
  }

  /// Refuses a token that names other stores only: the store that it was made for was replaced.
  private func requireKnown(_ place: NSPersistentHistoryChangeRequest.Place) throws {
    guard case .token(let token) = place, !token.numbers.isEmpty,
      !(try requireStores("history")).contains(where: { token.numbers[$0.identifier] != nil })
    else { return }
    throw CocoaError.make(
      .persistentHistoryTokenExpired,
      "The token is of another store; read everything again, and go on from "
        + "currentPersistentHistoryToken(fromStores:).")
  }

  private func start(
    after place: NSPersistentHistoryChangeRequest.Place, in store: NSPersistentStore,
    _ history: any StoreHistory
  ) throws -> HistoryQuery.Start {
    switch place {
    case .start: return .beginning
    case .date(let date): return .date(date.timeIntervalSinceReferenceDate)
    case .token(let token):
      // A store that the token does not know was added later: all of its history is new.
      guard let number = token.numbers[store.identifier] else { return .beginning }
      guard try reporting({ try history.bounds() }).continues(after: number) else {
        throw CocoaError.make(
          .persistentHistoryTokenExpired,
          "The history behind the token is no longer there; read everything again, and go on from "
            + "currentPersistentHistoryToken(fromStores:).", path: store.url?.path)
      }
      return .transaction(number)
    }
  }

  private func make(
    _ transaction: HistoryTransaction, of store: NSPersistentStore, withChanges: Bool
  ) -> NSPersistentHistoryTransaction {
    let storeID: String = store.identifier
    let plain = NSPersistentHistoryTransaction(transaction, storeID: storeID, changes: nil)
    guard withChanges else { return plain }
    let changes = transaction.changes.map { change in
      let entity = model.entities[Int(change.id.entityIndex)]
      let id = NSManagedObjectID(store: store, entity: entity, key: change.id.key)
      return NSPersistentHistoryChange(change, id: id, transaction: plain)
    }
    return NSPersistentHistoryTransaction(transaction, storeID: storeID, changes: changes)
  }

  private func result(
    _ transactions: [NSPersistentHistoryTransaction], _ selection: HistorySelection,
    _ type: NSPersistentHistoryResultType
  ) -> NSPersistentHistoryResult {
    let changes = selection.apply(to: transactions.flatMap { $0.changes ?? [] })
    let wanted = selection.needsChanges ? transactions.keeping(changes) : transactions
    let result: Any =
      switch type {
      case .statusOnly: true
      case .objectIDs: changes.map(\.changedObjectID).uniqued
      case .count: NSNumber(value: changes.count)
      case .changesOnly: changes
      case .transactionsAndChanges: wanted
      case .transactionsOnly: wanted.map(\.withoutChanges)
      }
    return NSPersistentHistoryResult(result, type)
  }

  /// Who the history says made this context's changes.
  func changeOrigin(in store: NSPersistentStore) -> ChangeOrigin {
    guard store.keepsHistory else { return ChangeOrigin() }
    let process = ProcessInfo.processInfo.processName
    return ChangeOrigin(
      author: transactionAuthor, contextName: name,
      bundleID: Bundle.main.bundleIdentifier ?? process, processID: process)
  }
}

extension NSPersistentHistoryTransaction {
  /// The transaction as it is where only transactions were asked for.
  fileprivate var withoutChanges: NSPersistentHistoryTransaction {
    changes == nil ? self : NSPersistentHistoryTransaction(self, changes: nil)
  }
}

extension [NSPersistentHistoryTransaction] {
  /// The transactions that have one of the changes, with no others.
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
  /// The ids, each once, in their order.
  fileprivate var uniqued: [NSManagedObjectID] {
    var seen: Set<NSManagedObjectID> = []
    return filter { seen.insert($0).inserted }
  }
}
