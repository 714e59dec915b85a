package import OpenObjectModel

/// The column of one slot of a packed row.
package struct SlotColumn: Sendable, Hashable {
  package var name: String
  package var kind: SlotKind
  /// Whether a tag byte precedes the value, as in the columns of values that may be external. The
  /// tag is 1 for a value in the row, and 2 for the name of an external file.
  package var isTagged: Bool
  /// Whether the column contains the values of a UUID attribute.
  package var isUUID = false

  package var target: SQLTarget { isTagged ? .taggedData : isUUID ? .uuid : .slot(kind) }
}

/// The table of an entity's rows, which all entities of an inheritance hierarchy share.
package struct EntityMap: Sendable {
  package var entity: CompiledEntity
  package var table: String
  /// The indexes in the model of all entities whose rows are in the table.
  package var tableEntities: Range<Int>
  /// The columns by slot.
  package var columns: [SlotColumn]

  /// The entity's number in the file.
  package var number: Int64

  /// The columns of attributes, except derived attributes.
  package var attributeColumns: [String] {
    entity.properties.filter { $0.attribute?.derivation == nil && $0.attribute != nil }
      .compactMap { $0.slot.map { columns[$0].name } }
  }

  /// Returns the column of an attribute or a to-one relationship; nil for other properties.
  package func column(_ ordinal: Int) -> SlotColumn? {
    guard entity.properties.indices.contains(ordinal) else { return nil }
    return entity.properties[ordinal].slot.map { columns[$0] }
  }
}

/// The storage of a to-many relationship.
package enum ToManyStorage: Sendable, Hashable {
  /// A foreign key in the table of the destination.
  case foreignKey(ForeignKey)
  /// A join table.
  case join(JoinSide)

  /// The column of the members' positions; nil for an unordered relationship.
  package var orderColumn: String? {
    switch self {
    case .foreignKey(let key): key.orderColumn
    case .join(let side): side.orderColumn
    }
  }

  /// The foreign key of the owner in the rows of the destination.
  package struct ForeignKey: Sendable, Hashable {
    package var table: String
    package var column: String
    package var orderColumn: String?
    /// The column of the entity discriminator; nil if the table has no such column.
    package var discriminator: String?
    /// Whether the destination entity has no property for the foreign key. The library writes such
    /// a foreign key like a join row.
    package var isHidden: Bool
  }

  /// A join table from the side of one of its two relationships.
  package struct JoinSide: Sendable, Hashable {
    package var table: String
    package var source: String
    package var destination: String
    package var orderColumn: String?
    /// Whether the relationship is its own inverse. Each pair then has two join rows.
    package var isReflexive: Bool
  }
}

/// A uniqueness constraint and the columns of its index.
package struct UniquenessMap: Sendable, Hashable {
  package var entityIndex: Int
  package var table: String
  package var properties: [String]
  package var columns: [String]
}

/// A join table.
package struct JoinTable: Sendable, Hashable {
  package var name: String
  package var namingEntity: Int
  package var columns: [String]
  package var orderColumns: [String]
}
