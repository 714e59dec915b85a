internal import OpenObjectModel
internal import OpenStoreContract

/// The rows that exist in a store, and the destinations of one-to-one relationships.
///
/// Uses about 16 bytes for each row, and another 16 bytes for each one-to-one relationship of a
/// row.
struct PresentRows {
  /// The root entities whose rows were read. The rows of other root entities are unknown.
  let readableRoots: Set<Int>
  /// The entities of rows by key, for each root entity.
  private var entities: [Int: [Int64: Int32]] = [:]
  /// The destinations by source, for each relationship.
  private var destinations: [RelationshipName: [Int64: Int64]] = [:]

  init(readableRoots: Set<Int>) { self.readableRoots = readableRoots }

  mutating func add(_ row: Row, root: Int, _ oneToOnes: [ForeignKeyCheck]) {
    entities[root, default: [:]][row.key] = Int32(truncatingIfNeeded: row.entityIndex)
    for reference in oneToOnes where !row.isNull(reference.slot) {
      destinations[reference.name, default: [:]][row.key] = row.integer(at: reference.offset)
    }
  }

  /// Returns the entity of a row, or nil if there is no such row.
  func entity(root: Int, key: Int64) -> Int? { entities[root]?[key].map(Int.init) }

  /// Returns the key of the destination of a source.
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
  /// The entity and key of the other row.
  var related: (entityIndex: Int, key: Int64)?
}
