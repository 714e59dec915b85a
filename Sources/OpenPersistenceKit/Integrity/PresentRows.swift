internal import OpenObjectModel
internal import OpenStoreContract

/// Which rows a store has, and whom one-to-one relationships refer to.
///
/// Some 16 bytes a row, and as much again for each one-to-one relationship.
struct PresentRows {
  /// Roots whose rows were read; of others nothing is known.
  let readableRoots: Set<Int>
  /// Entity by key, by root.
  private var entities: [Int: [Int64: Int32]] = [:]
  /// Destination by source, by relationship.
  private var destinations: [RelationshipName: [Int64: Int64]] = [:]

  init(readableRoots: Set<Int>) { self.readableRoots = readableRoots }

  mutating func add(_ row: Row, root: Int, _ oneToOnes: [ForeignKeyCheck]) {
    entities[root, default: [:]][row.key] = Int32(truncatingIfNeeded: row.entityIndex)
    for reference in oneToOnes where !row.isNull(reference.slot) {
      destinations[reference.name, default: [:]][row.key] = row.integer(at: reference.offset)
    }
  }

  /// The entity of a row; nil when there is none.
  func entity(root: Int, key: Int64) -> Int? { entities[root]?[key].map(Int.init) }

  /// Whom a source refers to.
  func destination(of relationship: RelationshipName, source: Int64) -> Int64? {
    destinations[relationship]?[source]
  }
}

/// A relationship, whichever sub-entity it is looked at from.
struct RelationshipName: Hashable {
  var entityIndex: Int
  var name: String

  init(_ property: CompiledProperty) {
    entityIndex = property.declaringEntityIndex
    name = property.name
  }
}

/// One thing that is wrong with a row.
struct RowProblem {
  var kind: IntegrityFinding.Kind
  var propertyName: String
  /// Entity and key of the other row.
  var related: (entityIndex: Int, key: Int64)?
}
