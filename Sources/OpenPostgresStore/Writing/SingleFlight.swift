import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// A save in one round trip: the beginning of the transaction, the checks, all changes, the history
/// and the commit.
///
/// Each check is a statement that divides by zero if the check fails. The server then executes no
/// later statement, and the save is repeated step by step by ``ChangeFlight``, which finds the
/// conflicts.
struct SingleFlight {
  private let store: PostgresStore
  private let changes: ChangeSet
  private var model: CompiledModel { store.model }

  /// Creates the flight; nil if a statement depends on the results of another statement, or if the
  /// outcome of the commit could not be determined after the connection was lost.
  init?(_ store: PostgresStore, _ changes: ChangeSet) {
    guard store.derivedAttributes.isEmpty, changes.orderings.isEmpty, changes.metadata == nil,
      store.tracksHistory || !changes.inserted.isEmpty
    else { return nil }
    let entities = Set(changes.deleted.map { Int($0.id.entityIndex) })
    let hasTombstones = entities.contains {
      !store.model.entities[$0].tombstoneProperties.isEmpty
    }
    if store.tracksHistory, hasTombstones { return nil }
    self.store = store
    self.changes = changes
  }

  /// Sends the save.
  ///
  /// - Returns: `.notCommitted` if a check failed, or if the server rejected a statement.
  /// - Throws: `StoreError` with code `.locked` after the time-out of a lock or a statement. Throws
  ///   `StoreError` with code `.unreachable` and the underlying error ``LostCommit`` if the
  ///   connection is lost.
  func run(on connection: PostgresConnection) throws(StoreError) -> PostgresStore.Settlement {
    guard let checks else { return .notCommitted }
    let flight = ChangeFlight(store, on: connection, changes)
    let commands =
      store.beginning + [store.fence.guardCommand] + checks + (try flight.writing())
      + ReferenceLookUp.guards(against: changes.deleted, in: store)
    let history = store.tracksHistory ? changes.historyChanges(of: store.model) : []
    do throws(StoreError) {
      let number = try store.conclude(
        commands, history, of: changes, by: changes.origin, on: connection, opensTransaction: true)
      return .committed(number)
    } catch {
      guard error.isRejection else { throw error }
      connection.rollBack()
      // The steps would wait for the same lock, or exceed the same time, once more.
      if error.code == .locked, !error.isTransient { throw error }
      return .notCommitted
    }
  }

  /// The statements that lock and check the rows that the save changes, expects or refers to; nil
  /// if the changes contradict each other.
  private var checks: [PostgresCommand]? {
    let kept = changes.updated.map(\.expectation) + changes.unchanged
    guard let removals = guards(changes.deleted.map(\.expectation), .update),
      let updates = guards(kept, .noKeyUpdate), let references
    else { return nil }
    return removals + updates + references
  }

  private func guards(
    _ expectations: [ChangeSet.Expectation], _ lock: SQLRowLock
  ) -> [PostgresCommand]? {
    var versions: [Int: [Int64: Int64]] = [:]
    for row in expectations {
      let former = versions[model.root(of: row.id), default: [:]]
        .updateValue(row.version, forKey: row.id.key)
      guard former ?? row.version == row.version else { return nil }
    }
    return versions.sorted { $0.key < $1.key }.map { root, versions in
      let rows = versions.sorted { $0.key < $1.key }
      return store.rowStatements.command(
        .requireVersions(store.schema.entities[root].table, lock),
        [.keys(rows.map(\.key)), .keys(rows.map(\.value)), .integer(Int64(rows.count))])
    }
  }

  private var references: [PostgresCommand]? {
    var keys: [Int: Set<Int64>] = [:]
    for id in changes.referenced { keys[model.root(of: id), default: []].insert(id.key) }
    for row in changes.inserted { keys[model.root(of: row.objectKey)]?.remove(row.key) }
    for deletion in changes.deleted
    where keys[model.root(of: deletion.id)]?.contains(deletion.id.key) == true { return nil }
    return keys.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }.map { root, keys in
      store.rowStatements.command(
        .requireRows(store.schema.entities[root].table),
        [.keys(keys.sorted()), .integer(Int64(keys.count))])
    }
  }
}
