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
    /// The position up to which the history was read.
    var token: NSPersistentHistoryToken?
    /// The container's own commits after this position, which its contexts already have.
    var own: Set<NSPersistentHistoryToken> = []
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
    state = Mutex(State(token: coordinator.currentPersistentHistoryToken(fromStores: nil)))
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
      if let token { state.withLock { _ = $0.own.insert(token) } }
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
    let transactions = state.withLock { state -> [NSPersistentHistoryTransaction] in
      guard arePending.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
      do {
        let all = try Self.transactions(after: state.token, in: coordinator)
        let foreign = all.filter { !state.own.contains($0.token) }
        state.own.removeAll()
        if let last = all.last { state.token = last.token }
        return foreign
      } catch {
        GraphLog.error(
          "Changes by other writers cannot be read; the models are read again: \(error)")
        state.token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        for graph in graphs { graph.perform { graph.refreshAllObjects() } }
        return []
      }
    }
    for transaction in transactions {
      for graph in graphs {
        graph.perform {
          graph.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
      }
    }
  }

  private static func transactions(
    after token: NSPersistentHistoryToken?, in coordinator: NSPersistentStoreCoordinator
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
