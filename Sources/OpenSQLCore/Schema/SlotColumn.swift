package import OpenObjectModel

/// The column of one slot of a packed row.
package struct SlotColumn: Sendable, Hashable {
  package var name: String
  package var kind: SlotKind
  /// Whether a tag byte precedes the value, because the value may be external.
  package var isTagged: Bool
  /// Whether the data is a UUID.
  package var isUUID = false

  package var target: SQLTarget { isTagged ? .taggedData : isUUID ? .uuid : .slot(kind) }
}

/// Where the rows of an entity are: a table that the whole inheritance tree shares.
package struct EntityMap: Sendable {
  package var entity: CompiledEntity
  package var table: String
  /// Every entity whose rows are in the table, as positions in the model.
  package var tableEntities: Range<Int>
  /// Columns by slot.
  package var columns: [SlotColumn]

  /// The entity's number in the file.
  package var number: Int64

  /// The columns of attributes.
  package var attributeColumns: [String] {
    entity.properties.filter { $0.attribute?.derivation == nil && $0.attribute != nil }
      .compactMap { $0.slot.map { columns[$0].name } }
  }

  /// The column of an attribute or to-one relationship; nil for other properties.
  package func column(_ ordinal: Int) -> SlotColumn? {
    guard entity.properties.indices.contains(ordinal) else { return nil }
    return entity.properties[ordinal].slot.map { columns[$0] }
  }
}

/// How the pairs of a to-many relationship are stored.
package enum ToManyStorage: Sendable, Hashable {
  /// In a column of the destination's table.
  case foreignKey(ForeignKey)
  /// In a table of pairs.
  case join(JoinSide)

  /// The column of the members' places; nil for a relationship without order.
  package var orderColumn: String? {
    switch self {
    case .foreignKey(let key): key.orderColumn
    case .join(let side): side.orderColumn
    }
  }

  /// The owner's key in the rows of the destination.
  package struct ForeignKey: Sendable, Hashable {
    package var table: String
    package var column: String
    package var orderColumn: String?
    /// Column of the entity discriminator.
    package var discriminator: String?
    /// Whether no property of the destination holds the key, so that join rows must be written for it.
    package var isHidden: Bool
  }

  /// A table of pairs, seen from one of its two relationships.
  package struct JoinSide: Sendable, Hashable {
    package var table: String
    package var source: String
    package var destination: String
    package var orderColumn: String?
    /// Whether the relationship is its own inverse, so that each pair is there twice.
    package var isReflexive: Bool
  }
}

/// A uniqueness constraint, as the file's index has it.
package struct UniquenessMap: Sendable, Hashable {
  package var entityIndex: Int
  package var table: String
  package var properties: [String]
  package var columns: [String]
}

/// A table of pairs.
package struct JoinTable: Sendable, Hashable {
  package var name: String
  package var namingEntity: Int
  package var columns: [String]
  package var orderColumns: [String]
}
