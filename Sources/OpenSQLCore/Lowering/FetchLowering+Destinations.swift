package import OpenObjectModel
package import OpenStoreContract

extension FetchLowering {
  /// Returns the text of the statement that reads rows or destinations by key; nil if the property
  /// is not a stored to-many relationship.
  ///
  /// - Parameters:
  ///   - read: The rows or destinations to read.
  ///   - keys: The form of the bound keys.
  package func text(of read: KeyedRead, keys: KeyForm) -> String? {
    switch read {
    case .rows(let entity): return rows(of: entity.subtree, keys: keys).text
    case .destinations(let property, _):
      guard let relationship = property.relationship, let storage = schema.storage(of: property)
      else { return nil }
      let destination = schema.model.entities[relationship.destinationIndex]
      return destinations(of: storage, destination: destination, sources: keys).text
    }
  }

  /// Returns the statement for the destinations of a to-many relationship. The caller binds the
  /// keys of the sources.
  ///
  /// The columns of the result are the source's key, the destination's key, and the destination's
  /// entity number if the destinations may be of several entities. For an ordered relationship, the
  /// rows are sorted by the positions of the members.
  ///
  /// - Parameters:
  ///   - storage: The storage of the relationship.
  ///   - destination: The destination entity of the relationship.
  ///   - sources: The form of the bound keys.
  package func destinations(
    of storage: ToManyStorage, destination: CompiledEntity, sources: KeyForm
  ) -> RenderedSQL {
    let (table, column) = storage.owners
    let source = SQLExpression.column(table: "t0", column)
    let member = SQLExpression.column(table: "t0", storage.member)
    var select = SQLSelect([source, member], from: .table(table, alias: "t0"))
    if destination.subtree.count > 1 {
      var rows = "t0"
      if case .join = storage {
        rows = "t1"
        let table = schema.entities[destination.index].table
        select.joins = [.init(.inner, table, as: rows, having: "Z_PK", member)]
      }
      select.columns.append(.column(table: rows, "Z_ENT"))
    }
    select.condition = Self.isOne(of: sources, source)
    if let orderColumn = storage.orderColumn {
      select.order = [
        SQLSelect.Order(expression: .column(table: "t0", orderColumn), isAscending: true)
      ]
    }
    return SQLRenderer.render(.select(select), for: dialect)
  }

  /// Returns the storage of an ordered relationship, the column that contains the positions of its
  /// members, and a statement. The statement returns the keys and the positions of the members of
  /// one source; the caller binds the key of the source.
  ///
  /// - Parameter ordering: The ordering of the members.
  /// - Throws: `StoreError` with code `.unsupported` if the property of the ordering is not a
  ///   stored ordered relationship.
  package func places(
    of ordering: ChangeSet.Ordering
  ) throws(StoreError) -> (ToManyStorage, column: String, select: String) {
    let entity = schema.model.entities[ordering.entityIndex]
    guard entity.properties.indices.contains(ordering.ordinal),
      let storage = schema.storage(of: entity.properties[ordering.ordinal]),
      let column = storage.orderColumn
    else {
      throw StoreError(
        .unsupported, "An order is specified for a property that is not an ordered relationship.",
        entityName: entity.name)
    }
    let (table, source) = storage.owners
    var select = SQLSelect(
      [storage.member, column].map { .column(table: "t0", $0) }, from: .table(table, alias: "t0"))
    select.condition = .binary(.equal, .column(table: "t0", source), .parameter(.caller))
    return (storage, column, SQLRenderer.render(.select(select), for: dialect).text)
  }
}
