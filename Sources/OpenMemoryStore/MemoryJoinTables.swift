import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// The join rows of relationships without a foreign key: many-to-many relationships, and to-many
/// relationships without an inverse.
struct MemoryJoinTables: Sendable {
  private var tables: [MemoryJoinRelationship: MemoryJoinTable] = [:]

  /// Returns the keys joined to a source, in ascending order.
  func destinations(of side: MemoryJoinSide, source: Int64) -> [Int64] {
    guard let table = tables[side.relationship] else { return [] }
    let forward = table.destinations[source] ?? []
    let backward = table.sources[source] ?? []
    if side.isSymmetric { return forward.union(backward).sorted() }
    return (side.isInverse ? backward : forward).sorted()
  }

  /// Removes and adds the join rows of a change set.
  mutating func apply(_ joinRows: [ChangeSet.JoinRow], in model: CompiledModel) {
    for joinRow in joinRows where !joinRow.isAdded { change(joinRow, in: model) }
    for joinRow in joinRows where joinRow.isAdded { change(joinRow, in: model) }
  }

  private mutating func change(_ joinRow: ChangeSet.JoinRow, in model: CompiledModel) {
    let property = model.entities[joinRow.entityIndex].properties[joinRow.ordinal]
    guard let side = MemoryJoinSide(of: property, in: model) else { return }
    var pair = (joinRow.source.key, joinRow.destination.key)
    if side.isInverse { pair = (pair.1, pair.0) }
    tables[side.relationship, default: MemoryJoinTable()].set(pair, joinRow.isAdded, side)
  }

  /// Removes all join rows of an object.
  mutating func removeAll(of key: Int64, root: Int, in model: CompiledModel) {
    for relationship in tables.keys {
      if relationship.sourceRoot(in: model) == root { tables[relationship]?.remove(source: key) }
      if relationship.destinationRoot(in: model) == root {
        tables[relationship]?.remove(destination: key)
      }
    }
  }
}

/// The join rows of one relationship, accessible from both sides.
struct MemoryJoinTable: Sendable {
  private(set) var destinations: [Int64: Set<Int64>] = [:]
  private(set) var sources: [Int64: Set<Int64>] = [:]

  mutating func set(_ pair: (Int64, Int64), _ isAdded: Bool, _ side: MemoryJoinSide) {
    guard isAdded else {
      remove(pair)
      if side.isSymmetric { remove((pair.1, pair.0)) }
      return
    }
    if side.isExclusive { remove(destination: pair.1) }
    destinations[pair.0, default: []].insert(pair.1)
    sources[pair.1, default: []].insert(pair.0)
  }

  private mutating func remove(_ pair: (Int64, Int64)) {
    destinations[pair.0]?.remove(pair.1)
    sources[pair.1]?.remove(pair.0)
  }

  mutating func remove(source: Int64) {
    for destination in destinations.removeValue(forKey: source) ?? [] {
      sources[destination]?.remove(source)
    }
  }

  mutating func remove(destination: Int64) {
    for source in sources.removeValue(forKey: destination) ?? [] {
      destinations[source]?.remove(destination)
    }
  }
}

/// A relationship with a join table, identified by the side that comes first in the model.
struct MemoryJoinRelationship: Hashable, Sendable {
  let entityIndex: Int
  let ordinal: Int

  func sourceRoot(in model: CompiledModel) -> Int { model.entities[entityIndex].rootIndex }

  func destinationRoot(in model: CompiledModel) -> Int? {
    model.entities[entityIndex].properties[ordinal].relationship
      .map { model.entities[$0.destinationIndex].rootIndex }
  }
}

/// A to-many relationship that is one side of a join table.
struct MemoryJoinSide {
  let relationship: MemoryJoinRelationship
  /// Whether this side's destinations are the sources of the join table.
  let isInverse: Bool
  /// Whether the relationship is its own inverse.
  let isSymmetric: Bool
  /// Whether a destination has at most one source, as in a relationship without an inverse.
  let isExclusive: Bool

  /// Creates a side; nil for attributes and to-one relationships.
  init?(of property: CompiledProperty, in model: CompiledModel) {
    guard let relationship = property.relationship, relationship.isToMany else { return nil }
    let own = (property.declaringEntityIndex, property.ordinal)
    let inverse = model.inverse(of: relationship).map { ($0.declaringEntityIndex, $0.ordinal) }
    let first = inverse.map { $0 < own ? $0 : own } ?? own
    self.relationship = MemoryJoinRelationship(entityIndex: first.0, ordinal: first.1)
    isInverse = first != own
    isSymmetric = inverse.map { $0 == own } ?? false
    isExclusive = inverse == nil
  }
}
