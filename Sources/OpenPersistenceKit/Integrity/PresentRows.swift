internal import OpenObjectModel
internal import OpenStoreContract

/// The rows that exist in a store, and the destinations of one-to-one relationships.
///
/// The value uses about 16 bytes for each row, and another 16 bytes for each one-to-one
/// relationship of a row.
struct PresentRows {
  /// The root entities whose rows were read. The rows of other root entities are unknown.
  let readableRoots: Set<Int>
  /// The indexes of the rows' entities, by root entity and by key.
  private var entities: [Int: [Int64: Int32]] = [:]
  /// The keys of the destinations, by relationship and by the key of the source.
  private var destinations: [RelationshipName: [Int64: Int64]] = [:]

  init(readableRoots: Set<Int>) { self.readableRoots = readableRoots }

  mutating func add(_ row: Row, root: Int, _ oneToOnes: [ForeignKeyCheck]) {
    entities[root, default: [:]][row.key] = Int32(truncatingIfNeeded: row.entityIndex)
    for reference in oneToOnes where !row.isNull(reference.slot) {
      destinations[reference.name, default: [:]][row.key] = row.integer(at: reference.offset)
    }
  }

  /// Returns the index of a row's entity, or nil if the row does not exist.
  func entity(root: Int, key: Int64) -> Int? { entities[root]?[key].map(Int.init) }

  /// Returns the key of the destination of a one-to-one relationship, or nil if there is none.
  func destination(of relationship: RelationshipName, source: Int64) -> Int64? {
    destinations[relationship]?[source]
  }
}

/// The name of a relationship, which is the same for all subentities.
struct RelationshipName: Hashable {
  var entityIndex: Int
  var name: String

  init(_ property: CompiledProperty) {
    entityIndex = property.declaringEntityIndex
    name = property.name
  }
}

/// A problem of one row.
struct RowProblem {
  var kind: IntegrityFinding.Kind
  var propertyName: String
  /// The entity and key of the second row of the problem.
  var related: (entityIndex: Int, key: Int64)?
}
