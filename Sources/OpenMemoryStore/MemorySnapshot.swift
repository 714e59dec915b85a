import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// The contents of a memory store at one moment, used to evaluate one plan.
///
/// Confined to the call that created it.
final class MemorySnapshot: RowSnapshot {
  let state: MemoryState
  let model: CompiledModel
  /// The number of rows visited so far.
  private(set) var visitCount = 0

  init(state: MemoryState, model: CompiledModel) {
    self.state = state
    self.model = model
  }

  /// Returns the rows of an entity and its subentities, in the order of their keys.
  func rows(of entityIndexes: Range<Int>) -> [Row] {
    guard let first = entityIndexes.first else { return [] }
    let table = state.tables[model.entities[first].rootIndex] ?? [:]
    visitCount += table.count
    return table.values.filter { entityIndexes.contains($0.entityIndex) }
      .sorted { $0.key < $1.key }
  }

  /// Returns the destination of a row's to-one relationship, or nil if the relationship is empty or
  /// the destination was deleted.
  func destination(of property: CompiledProperty, from row: Row) -> Row? {
    guard let slot = property.slot, !row.isNull(slot), let relationship = property.relationship
    else { return nil }
    return self.row(row.integer(at: property.byteOffset), of: relationship.destinationIndex)
  }

  /// Returns the destinations of a to-many relationship. The destinations of an ordered
  /// relationship have the order of the relationship, other destinations the order of their keys.
  func destinations(of property: CompiledProperty, source: Int64) -> [Row] {
    guard let relationship = property.relationship, relationship.isToMany else { return [] }
    let rows = unorderedDestinations(of: property, relationship, source: source)
    return relationship.isOrdered ? state.orders.sorted(rows, of: property, source: source) : rows
  }

  private func unorderedDestinations(
    of property: CompiledProperty, _ relationship: CompiledRelationship, source: Int64
  ) -> [Row] {
    if let inverse = model.inverse(of: relationship), inverse.slot != nil {
      return rows(of: relationship.destinationIndex, pointingAt: source, over: inverse)
    }
    guard let side = MemoryJoinSide(of: property, in: model) else { return [] }
    return state.joinTables.destinations(of: side, source: source)
      .compactMap { row($0, of: relationship.destinationIndex) }
  }

  /// Returns the rows that have a given foreign key in a to-one relationship, in the order of their
  /// keys.
  func rows(
    of entityIndex: Int, pointingAt key: Int64, over property: CompiledProperty
  ) -> [Row] {
    let subtree = model.entities[entityIndex].subtree
    return state.foreignKeys.sources(pointingAt: key, over: property)
      .compactMap { row($0, of: entityIndex) }
      .filter { subtree.contains($0.entityIndex) }
  }

  /// Returns the row with the given key in the hierarchy of an entity, or nil if there is no such
  /// row.
  func row(_ key: Int64, of entityIndex: Int) -> Row? {
    visitCount += 1
    return state.tables[model.entities[entityIndex].rootIndex]?[key]
  }
}

typealias MemoryQuery = PlanEvaluation<MemorySnapshot>
typealias MemorySubject = StoredSubject<MemorySnapshot>
