internal import Dispatch
internal import Foundation
public import Observation
internal import OpenObjectGraph
internal import Synchronization

/// An object that reports new history transactions, filtered by author and by model type.
///
/// ```swift
/// let observer = try HistoryObserver(observedModels: [Trip.self], modelContainer: container)
/// ```
///
/// The observer covers all default stores in a container. Observe ``eventCounter``. When the
/// counter changes, fetch the transactions after the last token that you processed.
///
/// > Concurrency: Usable on any thread. The counter changes on the actor that created the observer,
/// > or on a private queue if no actor created the observer.
/// > Reference: Apple, HistoryObserver. Differs: D-363.
public final class HistoryObserver: Observable, Sendable {
  private struct State {
    var counter = 0
    var numbers: [String: Int64]
  }

  /// The container whose default stores the observer observes.
  public let modelContainer: ModelContainer
  /// The model types whose changes the observer reports, including changes to models of subclasses.
  /// An empty array includes all types.
  public let observedModels: [any PersistentModel.Type]
  /// The authors whose transactions the observer reports. An empty set includes all authors.
  public let authors: Set<String>
  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()
  private let queue = DispatchQueue(label: "OpenSwiftData.HistoryObserver")
  private let observation = Mutex<NotificationToken?>(nil)

  /// Creates an observer of a container's history.
  ///
  /// - Parameters:
  ///   - historyTokens: The position after which the observer reads the history of each store,
  ///     keyed by store identifier. If the dictionary does not contain a store, the observer reads
  ///     the complete history of the store. If the value is `nil`, the observer starts at the
  ///     current position of each store.
  ///   - observedModels: The model types whose changes the observer reports, including changes to
  ///     models of subclasses. An empty array includes all types.
  ///   - authors: The authors whose transactions the observer reports. An empty set includes all
  ///     authors.
  ///   - modelContainer: The container whose default stores the observer observes.
  ///   - isolation: The actor on which the counter changes. The observer does not retain the
  ///     actor. If the value is `nil` or the actor was deallocated, the counter changes on a private
  ///     queue.
  /// - Throws: `SwiftDataError.unknownSchema` if a type is not in the container's schema;
  ///   `.invalidTransactionFetchRequest` if a token is not a ``DefaultHistoryToken``.
  public convenience init(
    historyTokens: [String: any HistoryToken]? = nil,
    observedModels: [any PersistentModel.Type] = [], authors: Set<String> = [],
    modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
  ) throws {
    try self.init(historyTokens, observedModels, authors, modelContainer)
    begin(on: isolation)
    // A commit after the start position may precede the observation.
    schedule(on: isolation)
  }

  private init(
    _ tokens: [String: any HistoryToken]?, _ models: [any PersistentModel.Type],
    _ authors: Set<String>, _ container: ModelContainer
  ) throws {
    for model in models where !container.has(model) {
      throw SwiftDataError(
        .unknownSchema, "The model \(model) is not in the schema of the container.")
    }
    modelContainer = container
    observedModels = models
    self.authors = authors
    state = Mutex(State(numbers: try Self.numbers(tokens, container)))
  }

  private static func numbers(
    _ tokens: [String: any HistoryToken]?, _ container: ModelContainer
  ) throws -> [String: Int64] {
    guard let tokens else {
      return container.coordinator.readableHistoryNumbers
    }
    var numbers: [String: Int64] = [:]
    for (store, token) in tokens {
      guard let token = token as? DefaultHistoryToken else {
        throw SwiftDataError(
          .invalidTransactionFetchRequest,
          "The token of the store \(store) has the type \(type(of: token)). An observer can observe only the histories of default stores."
        )
      }
      numbers[store] = token.numbers[store]
    }
    return numbers
  }

  /// The number of times that the observer has read the history and found new matching
  /// transactions.
  ///
  /// The counter also increases if the observer cannot read the history.
  public var eventCounter: Int {
    registrar.access(self, keyPath: \.eventCounter)
    return knownCounter
  }

  /// The counter, without registering the access with Observation.
  var knownCounter: Int { state.withLock { $0.counter } }

  /// The position up to which the observer has read the history of each store, keyed by store
  /// identifier.
  public var historyTokens: [String: any HistoryToken] {
    state.withLock { $0.numbers }.reduce(into: [:]) { tokens, entry in
      tokens[entry.key] = DefaultHistoryToken([entry.key: entry.value])
    }
  }

  // MARK: New transactions

  private func begin(on actor: (any Actor)?) {
    // The actor may retain the observer, which retains the observation.
    let token = NotificationToken(ModelContainer.remoteChange, modelContainer) {
      [weak self, weak actor] _ in
      self?.schedule(on: actor)
    }
    observation.withLock { $0 = token }
  }

  private func schedule(on actor: (any Actor)?) {
    queue.async { [weak self] in
      guard let self, findsEvent() else { return }
      guard let actor else { return count() }
      Task { await Self.count(self, on: actor) }
    }
  }

  private static func count(_ observer: HistoryObserver, on actor: isolated any Actor) async {
    observer.count()
  }

  private func count() {
    registrar.withMutation(of: self, keyPath: \.eventCounter) {
      state.withLock { $0.counter += 1 }
    }
  }

  /// Reads the new transactions, and returns whether the observer must report one of the
  /// transactions.
  private func findsEvent() -> Bool {
    let known = state.withLock { $0.numbers }
    let newest = modelContainer.coordinator.currentPersistentHistoryToken(fromStores: nil)
    // The token is nil if no store records history, or if a history cannot be read.
    guard let newest else { return observesHistory }
    // A restored store may have fewer transactions than the token of an earlier run.
    guard newest.numbers.contains(where: { $0.value != known[$0.key] ?? 0 }) else { return false }
    do {
      let transactions = try transactions(behind: known)
      state.withLock { state in
        for transaction in transactions {
          let store = transaction.storeIdentifier
          state.numbers[store] = max(
            state.numbers[store] ?? 0, transaction.transactionIdentifier)
        }
      }
      return transactions.contains(where: counts)
    } catch {
      // The history after the position was deleted or cannot be read. It may have contained a
      // matching transaction.
      GraphLog.error("The observer cannot read the history: \(error)")
      state.withLock { $0.numbers = newest.numbers }
      return true
    }
  }

  /// Whether any store records history.
  private var observesHistory: Bool {
    modelContainer.coordinator.recordsHistory
  }

  private func transactions(
    behind numbers: [String: Int64]
  ) throws -> [DefaultHistoryTransaction] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = modelContainer.coordinator
    return try context.performAndWait {
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
      if !numbers.isEmpty {
        let token = DefaultHistoryToken(numbers)
        descriptor.predicate = #Predicate<DefaultHistoryTransaction> { $0.token > token }
      }
      return try HistoryReading(context).transactions(descriptor)
    }
  }

  private func counts(_ transaction: DefaultHistoryTransaction) -> Bool {
    guard authors.isEmpty || transaction.author.map(authors.contains) == true else { return false }
    guard !observedModels.isEmpty else { return true }
    return transaction.changes.contains { change in
      let entity = change.changedPersistentIdentifier.entityName
      return observedModels.contains { modelContainer.entity(named: entity, isKindOf: $0) }
    }
  }
}
