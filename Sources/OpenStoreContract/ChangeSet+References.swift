package import OpenObjectModel

/// The identity of a row: its key, and its root entity, which is the ancestor without a
/// superentity.
///
/// The entities of two ``ObjectKey``s for the same row can differ, because a reference may name an
/// ancestor of the row's actual entity.
package struct RowIdentity: Sendable, Hashable {
  /// The position of the root entity in the model.
  package let root: Int
  package let key: Int64
}

extension CompiledModel {
  /// Returns the position of the root entity of a row.
  package func root(of id: ObjectKey) -> Int { entities[Int(id.entityIndex)].rootIndex }

  /// Returns the identity of a row.
  package func identity(of id: ObjectKey) -> RowIdentity {
    RowIdentity(root: root(of: id), key: id.key)
  }
}

extension ChangeSet.Update {
  /// The key of the stored row, and the version that the row must still have.
  package var expectation: ChangeSet.Expectation {
    ChangeSet.Expectation(id: row.objectKey, version: expectedVersion)
  }
}

extension ChangeSet.Deletion {
  /// The key of the stored row, and the version that the row must still have.
  package var expectation: ChangeSet.Expectation {
    ChangeSet.Expectation(id: id, version: expectedVersion)
  }
}

/// A to-one relationship through which rows may still refer to rows that a change set deletes.
package struct RemainingReference: Sendable {
  /// The to-one relationship.
  package let property: CompiledProperty
  /// The entity of the referring rows, as a position in the model.
  package let entityIndex: Int
  /// The deleted rows.
  package let ids: [ObjectKey]
  /// The ordinal of the inverse relationship in the entity of the deleted rows.
  private let ordinal: Int

  /// Returns the references that a store must check before it deletes rows.
  ///
  /// For each entity with deleted rows, the result has one element for each of the entity's
  /// relationships whose inverse is stored as a foreign key. Relationships with the delete rule No
  /// Action are omitted, because their destinations may keep their references.
  ///
  /// - Parameters:
  ///   - deletions: The deletions of a change set.
  ///   - model: The model of the rows.
  package static func all(
    to deletions: [ChangeSet.Deletion], in model: CompiledModel
  ) -> [RemainingReference] {
    let groups = Dictionary(grouping: deletions) { Int($0.id.entityIndex) }
    return groups.sorted { $0.key < $1.key }.flatMap { entityIndex, group in
      model.entities[entityIndex].properties.compactMap { property in
        guard let relationship = property.relationship, relationship.deleteRule != .noAction,
          let inverse = model.inverse(of: relationship), inverse.slot != nil
        else { return nil }
        return RemainingReference(
          property: inverse, entityIndex: relationship.destinationIndex, ids: group.map(\.id),
          ordinal: property.ordinal)
      }
    }
  }

  /// Returns a conflict for each deleted row to which other rows still refer.
  ///
  /// - Parameter found: The referring rows, keyed by the key of the deleted row.
  package func conflicts(_ found: [Int64: [ObjectKey]]) -> [StoreConflict] {
    if found.isEmpty { return [] }
    return ids.compactMap { id in
      found[id.key].map { .remainingReferences(to: id, ordinal: ordinal, from: $0.sorted()) }
    }
  }
}

extension ChangeSet {
  /// The versions that the updated, deleted and unchanged rows must still have in the store.
  package var expectations: [Expectation] {
    updated.map(\.expectation) + deleted.map(\.expectation) + unchanged
  }

  /// Returns a conflict for each referenced row that does not exist or that the change set deletes.
  ///
  /// - Parameters:
  ///   - model: The model of the rows.
  ///   - isStored: A closure that returns whether the store contains a row.
  package func missingDestinations(
    in model: CompiledModel, _ isStored: (RowIdentity) -> Bool
  ) -> [StoreConflict] {
    if referenced.isEmpty { return [] }
    let removed = Set(deleted.map { model.identity(of: $0.id) })
    let added = Set(inserted.map { model.identity(of: $0.objectKey) })
    return referenced.filter { id in
      let row = model.identity(of: id)
      return removed.contains(row) || !added.contains(row) && !isStored(row)
    }
    .map { .missingDestination(id: $0) }
  }
}
