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
  private let observation = Mutex<NotificationToken?>(nil)
  /// The key of the thread's dictionary for the container that is saving on the thread.
  private static let savingKey = "OpenSwiftData.savingContainer"

  init(of coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    state = Mutex(State(coordinator.readableHistoryNumbers))
  }

  /// Starts to observe commits, after the stores are open.
  func begin() {
    let token = NotificationToken(.NSPersistentStoreRemoteChange, coordinator) { [weak self] note in
      self?.note(note.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
    }
    observation.withLock { $0 = token }
  }

  func add(_ graph: GraphContext) {
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

  /// Runs a save of one of the container's contexts, and excludes its commits from the foreign
  /// commits.
  func saving<Result>(_ save: () throws -> Result) rethrows -> Result {
    let values = Thread.current.threadDictionary
    let outer = values[Self.savingKey]
    values[Self.savingKey] = self
    defer { values[Self.savingKey] = outer }
    return try save()
  }

  private func note(_ token: NSPersistentHistoryToken?) {
    if Thread.current.threadDictionary[Self.savingKey] as AnyObject? === self {
      if let token { state.withLock { $0.addOwn(token.numbers) } }
      return
    }
    arePending.store(true, ordering: .releasing)
    for graph in graphs { graph.wakeForChanges() }
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
