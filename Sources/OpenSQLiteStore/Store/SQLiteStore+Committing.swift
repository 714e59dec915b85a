import OpenObjectModel
import OpenSQLCore
public import OpenStoreContract

extension SQLiteStore {
  public func reserveKeys(_ counts: [Int: Int]) throws(StoreError) -> [Int: Int64] {
    try refuseReadOnly()
    return try pool.withWriter { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        (try reserveKeys(counts, on: connection), true)
      }
    }
  }

  public func requireWritable() throws(StoreError) {
    try refuseReadOnly()
    try pool.withWriter { (connection) throws(StoreError) in try connection.requirePlace() }
  }

  func refuseReadOnly() throws(StoreError) {
    guard isReadOnly else { return }
    throw StoreError(.readOnly, "The store was opened for reading only.")
  }

  public func commit(_ changes: inout ChangeSet) throws(StoreError) -> CommitOutcome {
    try refuseReadOnly()
    return try pool.withWriter { (connection) throws(StoreError) in
      connection.derivedChanges.removeAll()
      let (failures, number) = try recordingTransaction(on: connection) { () throws(StoreError) in
        let counts = changes.newRowCounts
        let firstKeys = try reserveKeys(counts, on: connection)
        changes.assignKeys(firstKeys, in: model)
        let number = try record(changes, on: connection)
        var writer = ChangeWriter(store: self, connection: connection)
        for (root, first) in firstKeys {
          writer.reserved(root, upTo: first + Int64(counts[root] ?? 0) - 1)
        }
        try writer.write(changes)
        return ((writer.failures, number), writer.failures.isEmpty)
      }
      if failures.isEmpty {
        return .committed(
          recomputed: connection.takeRecomputedKeys(of: model), transaction: number)
      }
      return .conflicts(try conflicts(failures, on: connection))
    }
  }

  /// Records the change set in the history before it is written, while deleted rows still have
  /// values.
  private func record(
    _ changes: ChangeSet, on connection: Connection
  ) throws(StoreError) -> Int64? {
    guard tombstoneColumnCount != nil else { return nil }
    var writer = HistoryWriter(store: self, connection: connection)
    return try writer.write(changes.historyChanges(of: model), by: changes.origin)
  }

  func reserveKeys(
    _ counts: [Int: Int], on connection: Connection
  ) throws(StoreError) -> [Int: Int64] {
    var firstKeys: [Int: Int64] = [:]
    for (root, count) in counts.sorted(by: { $0.key < $1.key }) {
      let count = Int64(max(0, count))
      let last = try connection.integer(
        writes.text(of: .reserveKeys), [.integer(count), .integer(Int64(root) + 1)])
      do throws(StoreError) {
        firstKeys[root] = try NumberRow.firstKey(
          of: count, upTo: last, root: model.entities[root], path: connection.path)
      } catch {
        throw error.withNativeCode
      }
    }
    return firstKeys
  }

  /// Returns the conflicts that caused the failures of a change set, with the stored rows.
  private func conflicts(
    _ failures: [ChangeWriter.Failure], on connection: Connection
  ) throws(StoreError) -> [StoreConflict] {
    var conflicts: [StoreConflict] = []
    for failure in failures {
      switch failure {
      case .reference(let conflict): conflicts.append(conflict)
      case .constraint(let id, let constraint):
        conflicts.append(
          .constraint(
            id: id, entityIndex: constraint.entityIndex, properties: constraint.properties))
      case .version(let id, let expected):
        let root = model.entities[model.entities[Int(id.entityIndex)].rootIndex]
        var stored = RowLookup.deleted
        try rows(of: root, keys: [id.key], on: connection).forEachRow { stored = .found($0) }
        conflicts.append(.version(id: id, expected: expected, stored: stored))
      }
    }
    return conflicts
  }
}
