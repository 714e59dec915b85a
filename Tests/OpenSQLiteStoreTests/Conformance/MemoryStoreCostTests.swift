import Foundation
import OpenMemoryStore
import OpenObjectModel
import OpenStoreConformance
import OpenStoreContract
import Testing

/// How the work of the memory store grows.
@Suite("Cost of the memory store")
struct MemoryStoreCostTests {
  /// People in a chain, each the mentor of the next.
  private func chain(
    of count: Int
  ) throws -> (store: MemoryStore, person: CompiledEntity, rows: [Row]) {
    let model = try StoreConformance.model()
    let person = try #require(model.entity(named: "Person"))
    let store = try MemoryStore.open(StoreConfiguration(url: nil), model: model)
    let slot = try slot("mentor", of: person)
    var rows: [Row] = []
    _ = try store.commit(reserving: [person.rootIndex: count]) { keys in
      var writer = RowWriter()
      var changes = ChangeSet()
      for number in 0..<Int64(count) {
        let key = (keys[person.rootIndex] ?? 1) + number
        let values = number == 0 ? [] : [SlotValue(slot: slot, content: .integer(key - 1))]
        rows.append(
          writer.row(of: person, key: key, version: 1, over: nil, values: values))
      }
      changes.inserted = rows
      return changes
    }
    return (store, person, rows)
  }

  private func slot(_ name: String, of entity: CompiledEntity) throws -> Int {
    try #require(entity.ordinal(of: name).flatMap { entity.properties[$0].slot })
  }

  @Test("finding the members of a relationship visits no other rows")
  func members() throws {
    let (store, person, rows) = try chain(of: 2000)
    let pupils = try #require(person.ordinal(of: "pupils").map { person.properties[$0] })
    for row in rows {
      let members = try store.destinations(of: pupils, in: person, sources: [row.key])
      #expect(members[0].count == (row.key == rows.last?.key ? 0 : 1))
    }
    #expect(store.visitedRowCount <= 2 * rows.count)
  }

  @Test("finding references to deleted rows visits no other rows")
  func deletions() throws {
    let (store, node, rows) = try chain(of: 2000)
    let deleted = rows.suffix(100)
    for row in deleted.dropLast() {
      // The next one refers to it.
      guard case .conflicts(let conflicts) = try delete([row], of: node, in: store),
        case .remainingReferences(_, _, let sources)? = conflicts.first
      else {
        Issue.record("The row \(row.key) was deleted.")
        continue
      }
      #expect(sources.map(\.key) == [row.key + 1])
    }
    guard case .committed = try delete(Array(deleted), of: node, in: store) else {
      Issue.record("The rows were not deleted.")
      return
    }
    #expect(store.visitedRowCount <= 2 * deleted.count)
  }

  private func delete(
    _ rows: [Row], of node: CompiledEntity, in store: MemoryStore
  ) throws -> CommitOutcome {
    try store.commit(reserving: [:]) { _ in
      var changes = ChangeSet()
      changes.deleted = rows.map { row in
        ChangeSet.Deletion(id: ObjectKey(entityIndex: node.index, key: row.key), expectedVersion: 1)
      }
      return changes
    }
  }

  @Test("members follow the changes and deletions of commits")
  func changes() throws {
    let (store, person, rows) = try chain(of: 4)
    let ordinal = try #require(person.ordinal(of: "pupils"))
    let slot = try slot("mentor", of: person)
    func members() throws -> [[Int64]] {
      try store.destinations(
        of: person.properties[ordinal], in: person, sources: rows.map(\.key)
      ).map { $0.map(\.key) }
    }
    #expect(try members() == [[2], [3], [4], []])
    _ = try store.commit(reserving: [:]) { _ in
      var writer = RowWriter()
      var changes = ChangeSet()
      let moved = writer.row(
        of: person, key: 4, version: 2, over: rows[3].view,
        values: [SlotValue(slot: slot, content: .integer(1))])
      changes.updated = [
        ChangeSet.Update(row: moved, slots: OrdinalSet([slot]), expectedVersion: 1)
      ]
      changes.deleted = [
        ChangeSet.Deletion(
          id: ObjectKey(entityIndex: person.index, key: rows[2].key), expectedVersion: 1)
      ]
      return changes
    }
    #expect(try members() == [[2, 4], [], [], []])
  }
}
