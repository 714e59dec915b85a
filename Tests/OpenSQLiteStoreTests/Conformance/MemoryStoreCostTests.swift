import Foundation
import OpenMemoryStore
import OpenObjectModel
import OpenStoreConformance
import OpenStoreContract
import Testing

/// How the work of the memory store grows.
@Suite("Cost of the memory store")
struct MemoryStoreCostTests {
  /// Nodes in a chain, each the parent of the next.
  private func chain(
    of count: Int
  ) throws -> (store: MemoryStore, node: CompiledEntity, rows: [Row]) {
    let node = NSEntityDescription()
    node.name = "Node"
    let (parent, children) = (NSRelationshipDescription(), NSRelationshipDescription())
    (parent.name, parent.destinationEntity, parent.maxCount) = ("parent", node, 1)
    (children.name, children.destinationEntity) = ("children", node)
    children.deleteRule = .cascadeDeleteRule
    (parent.inverseRelationship, children.inverseRelationship) = (children, parent)
    node.properties = [parent, children]
    let model = NSManagedObjectModel()
    model.entities = [node]
    let compiled = try model.compiled()
    let store = try MemoryStore.open(StoreConfiguration(url: nil), model: compiled)
    let entity = compiled.entities[0]
    let slot = try #require(entity.ordinal(of: "parent").flatMap { entity.properties[$0].slot })
    var rows: [Row] = []
    _ = try store.commit(reserving: [0: count]) { keys in
      var writer = RowWriter()
      var changes = ChangeSet()
      for number in 0..<Int64(count) {
        let key = (keys[0] ?? 1) + number
        let values = number == 0 ? [] : [SlotValue(slot: slot, content: .integer(key - 1))]
        rows.append(
          writer.row(of: entity, key: key, version: 1, over: nil, values: values))
      }
      changes.inserted = rows
      return changes
    }
    return (store, entity, rows)
  }

  @Test("the members of a relationship are found without a look at other rows")
  func members() throws {
    let (store, node, rows) = try chain(of: 2000)
    let children = try #require(node.ordinal(of: "children").map { node.properties[$0] })
    for row in rows {
      let members = try store.destinations(of: children, in: node, sources: [row.key])
      #expect(members[0].count == (row.key == rows.last?.key ? 0 : 1))
    }
    #expect(store.visitedRowCount <= 2 * rows.count)
  }

  @Test("references to deleted rows are found without a look at other rows")
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

  @Test("members follow what commits change and delete")
  func changes() throws {
    let (store, node, rows) = try chain(of: 4)
    let ordinal = try #require(node.ordinal(of: "children"))
    let slot = try #require(node.ordinal(of: "parent").flatMap { node.properties[$0].slot })
    func members() throws -> [[Int64]] {
      try store.destinations(
        of: node.properties[ordinal], in: node, sources: rows.map(\.key)
      ).map { $0.map(\.key) }
    }
    #expect(try members() == [[2], [3], [4], []])
    _ = try store.commit(reserving: [:]) { _ in
      var writer = RowWriter()
      var changes = ChangeSet()
      let moved = writer.row(
        of: node, key: 4, version: 2, over: rows[3].view,
        values: [SlotValue(slot: slot, content: .integer(1))])
      changes.updated = [
        ChangeSet.Update(row: moved, slots: OrdinalSet([slot]), expectedVersion: 1)
      ]
      changes.deleted = [
        ChangeSet.Deletion(
          id: ObjectKey(entityIndex: node.index, key: rows[2].key), expectedVersion: 1)
      ]
      return changes
    }
    #expect(try members() == [[2, 4], [], [], []])
  }
}
