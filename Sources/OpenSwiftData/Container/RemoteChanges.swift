internal import Foundation
internal import OpenObjectGraph
internal import Synchronization

/// Merges the changes that other writers make to a container's stores into the container's
/// contexts.
///
/// Other writers are Core Data stacks and other processes. The changes are read from the history of
/// the stores, when a context is used next or when a context must be notified.
///
/// > Concurrency: Any thread.
final class RemoteChanges: Sendable {
  private struct State {
    /// The numbers of the last transactions that the contexts have, by store identifier.
    private(set) var numbers: [String: Int64]
    /// The numbers of the container's own transactions after unread transactions, by store
    /// identifier. The contexts already have the changes of these transactions.
    private var own: [String: Set<Int64>] = [:]

    init(_ numbers: [String: Int64]) { self.numbers = numbers }

    /// Adds own transactions, given by their numbers and store identifiers.
    mutating func addOwn(_ numbers: [String: Int64]) {
      for (store, number) in numbers where number > self.numbers[store] ?? 0 {
        own[store, default: []].insert(number)
        takeOwn(of: store)
      }
    }

    /// Returns whether the contexts have the changes of the transactions with the given numbers.
    func contains(_ numbers: [String: Int64]) -> Bool {
      numbers.allSatisfy { store, number in
        number <= self.numbers[store] ?? 0 || own[store]?.contains(number) == true
      }
    }

    /// Moves the position in a store's history over all own transactions that follow directly.
    private mutating func takeOwn(of store: String) {
      var next = (numbers[store] ?? 0) &+ 1
      while own[store]?.remove(next) != nil {
        numbers[store] = next
        next &+= 1
      }
    }

    /// Moves the positions after transactions that were read.
    ///
    /// While a thread reads transactions, other threads can move the positions past them.
    ///
    /// - Returns: The transactions of other writers that no thread has taken before.
    mutating func take(
      _ transactions: [NSPersistentHistoryTransaction]
    ) -> [NSPersistentHistoryTransaction] {
      let foreign = transactions.filter {
        $0.transactionNumber > numbers[$0.storeID] ?? 0
          && own[$0.storeID]?.contains($0.transactionNumber) != true
      }
      for transaction in transactions {
        numbers[transaction.storeID] = max(
          numbers[transaction.storeID] ?? 0, transaction.transactionNumber)
      }
      for store in Array(own.keys) {
        let number = numbers[store] ?? 0
        own[store] = own[store]?.filter { $0 > number }
        takeOwn(of: store)
      }
      return foreign
    }
  }

  private struct WeakContext: Sendable {
    weak let graph: GraphContext?
  }

  private let coordinator: NSPersistentStoreCoordinator
  private let state: Mutex<State>
  private let contexts = Mutex<[WeakContext]>([])
  /// Whether another writer has saved since the history was read.
  private let arePending = Atomic<Bool>(false)
  private let observations = Mutex<[NotificationToken]>([])
  /// The key of the thread's dictionary for the transactions of the save that runs on the thread.
  private static let savedKey = "OpenSwiftData.savedTransactions"

  init(of coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    state = Mutex(State(coordinator.readableHistoryNumbers))
  }

  /// Starts to observe commits, after the stores are open.
  func begin() {
    let token = NotificationToken(.NSPersistentStoreRemoteChange, coordinator) { [weak self] note in
      self?.note(note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
    }
    // An observation of one context would retain the context.
    let saves = NotificationToken(.NSManagedObjectContextDidSave, nil) { [weak self] note in
      self?.noteOwn(note)
    }
    observations.withLock { $0 = [token, saves] }
  }

  func add(_ graph: GraphContext) {
    // The last reference to a context must not be released while the lock is held, because the
    // context's deinit calls observers, which may create contexts.
    let living = graphs
    defer { withExtendedLifetime(living) {} }
    contexts.withLock { contexts in
      contexts.removeAll { $0.graph == nil }
      contexts.append(WeakContext(graph: graph))
    }
  }

  private var graphs: [GraphContext] { contexts.withLock { $0.compactMap(\.graph) } }

  /// The main context; `nil` if there is none.
  @MainActor var mainContext: ModelContext? {
    graphs.lazy.filter { $0.concurrencyType == .mainQueueConcurrencyType }
      .compactMap(\.owner).first
  }

  // MARK: Own commits

  /// Runs a save of one of the container's contexts.
  func saving<Result>(_ save: () throws -> Result) rethrows -> Result {
    let values = Thread.current.threadDictionary
    let outer = values[Self.savedKey]
    values[Self.savedKey] = nil
    defer { values[Self.savedKey] = outer }
    return try save()
  }

  /// Excludes the commits of a save of one of the container's contexts from the foreign commits.
  ///
  /// The context posts the notification before the coordinator posts notifications about the
  /// commits.
  private func noteOwn(_ save: Notification) {
    guard let graph = save.object as? GraphContext, graph.remoteChanges === self,
      let token = save.userInfo?[HistoryName.changeToken] as? NSPersistentHistoryToken
    else { return }
    Thread.current.threadDictionary[Self.savedKey] = token
    state.withLock { $0.addOwn(token.numbers) }
  }

  private func note(_ token: NSPersistentHistoryToken?) {
    if let token, isOwn(token) { return }
    arePending.store(true, ordering: .releasing)
    for graph in graphs { graph.wakeForChanges() }
  }

  /// Returns whether the save that runs on this thread wrote the transactions in a notification.
  ///
  /// During the save, observers may save contexts of other stacks, which post notifications on this
  /// thread. A notification about commits of another process contains only the number of the last
  /// transaction, which this container may have written, but it is posted on another thread.
  private func isOwn(_ token: NSPersistentHistoryToken) -> Bool {
    let last = Thread.current.threadDictionary[Self.savedKey] as? NSPersistentHistoryToken
    guard let last, token.numbers.allSatisfy({ last.numbers[$0.key] == $0.value }) else {
      return false
    }
    return state.withLock { $0.contains(token.numbers) }
  }

  // MARK: Foreign commits

  /// Passes the changes of other writers to all contexts. Each context merges them on its own
  /// thread.
  @inline(__always)
  func handOut() {
    if arePending.load(ordering: .acquiring) { readHistory() }
  }

  @inline(never)
  private func readHistory() {
    guard let transactions = foreignTransactions() else {
      for graph in graphs { graph.perform { graph.rereadAll() } }
      return
    }
    for transaction in transactions {
      for graph in graphs {
        graph.perform {
          graph.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
      }
    }
  }

  /// Reads objects again in all contexts except the one that saved them, because a custom store
  /// changed their values during the save.
  ///
  /// - Parameters:
  ///   - ids: The identifiers of the objects.
  ///   - saving: The context that saved the objects, which has read them again.
  func reread(_ ids: [NSManagedObjectID], except saving: GraphContext) {
    for graph in graphs where graph !== saving {
      graph.perform {
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [NSUpdatedObjectIDsKey: ids], into: [graph])
      }
    }
  }

  /// Returns the new transactions of other writers; `nil` if their changes cannot be read.
  ///
  /// The changes cannot be read if a program deleted their history, for example.
  private func foreignTransactions() -> [NSPersistentHistoryTransaction]? {
    guard arePending.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    // Statement observers run during the reads, and may use contexts of this container.
    let token = NSPersistentHistoryToken(state.withLock { $0.numbers })
    do {
      let transactions = try Self.transactions(after: token, in: coordinator)
      return state.withLock { $0.take(transactions) }
    } catch {
      GraphLog.error(
        "The changes of other containers or processes cannot be read from the history. All models are read again: \(error)"
      )
      let readable = coordinator.readableHistoryNumbers
      state.withLock { $0 = State($0.numbers.merging(readable) { $1 }) }
      return nil
    }
  }

  private static func transactions(
    after token: NSPersistentHistoryToken, in coordinator: NSPersistentStoreCoordinator
  ) throws -> [NSPersistentHistoryTransaction] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      request.resultType = .transactionsAndChanges
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
  }
}
