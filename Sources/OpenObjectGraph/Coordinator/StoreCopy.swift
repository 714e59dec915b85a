internal import OpenObjectModel
internal import OpenStoreContract

/// Copies the contents of a store to an empty store of the same model, with the same keys.
struct StoreCopy {
  let model: CompiledModel
  let source: any StoreBackend
  let destination: any StoreBackend
  /// The metadata that the application has set and that is not yet written; nil if there is none.
  let pendingMetadata: StoreMetadata?
  /// The last keys that the source has assigned, by the position of the root entity in the model.
  let assignedKeys: [Int: Int64]

  /// Copies the store in one transaction.
  ///
  /// - Returns: The keys of all objects.
  /// - Throws: `StoreError` if a store cannot be read or written.
  func run() throws(StoreError) -> [ObjectKey] {
    var changes = ChangeSet()
    for entity in model.entities where entity.superIndex == nil {
      try addRows(of: entity, &changes)
    }
    let keys = changes.inserted.map { ObjectKey(entityIndex: $0.entityIndex, key: $0.key) }
    for (index, keys) in Dictionary(grouping: keys, by: { Int($0.entityIndex) }) {
      try addMembers(of: model.entities[index], keys.map(\.key), &changes)
    }
    changes.metadata = try metadata()
    try Self.requireEmpty(destination, of: model)
    // No later object gets the key of a copied object, or of an object that was deleted.
    for (root, last) in try lastKeys(keys) { try reserveKeys(of: root, upTo: last) }
    guard case .committed = try destination.commit(&changes) else {
      throw StoreError(
        .constraintConflict, "Objects in the store violate the constraints of the new store.")
    }
    return keys
  }

  /// Requires that a store contains no objects.
  ///
  /// - Throws: `StoreError` with code `.unsupported` if the store contains objects.
  static func requireEmpty(
    _ destination: any StoreBackend, of model: CompiledModel
  ) throws(StoreError) {
    for entity in model.entities where entity.superIndex == nil {
      guard try destination.count(matching: FetchPlan(shape: FetchShape(entity: entity))) > 0 else {
        continue
      }
      throw StoreError(.unsupported, "The new store is not empty. Choose another location.")
    }
  }

  private func addRows(
    of root: CompiledEntity, _ changes: inout ChangeSet
  ) throws(StoreError) {
    var rows: [Row] = []
    try source.forEachChunk(matching: FetchPlan(shape: FetchShape(entity: root))) {
      (chunk) throws(StoreError) in
      chunk.forEachRow { rows.append($0) }
    }
    changes.inserted += rows
  }

  /// The last key of each root entity that the source has assigned or that an object has.
  private func lastKeys(_ keys: [ObjectKey]) throws(StoreError) -> [Int: Int64] {
    var last = assignedKeys
    for key in keys {
      let root = model.entities[Int(key.entityIndex)].rootIndex
      guard key.key > 0, key.key < StoreContents.greatestKey else {
        throw StoreError(
          .corrupt, "A row has an invalid key.", entityName: model.entities[root].name)
      }
      last[root] = max(last[root] ?? 0, key.key)
    }
    return last
  }

  /// Reserves the keys of a root entity up to a key.
  ///
  /// In a store whose entities share one sequence of keys, the keys may already be reserved for
  /// another entity.
  private func reserveKeys(of root: Int, upTo last: Int64) throws(StoreError) {
    let first = try destination.reserveKeys([root: 1])[root] ?? last
    guard first < last else { return }
    _ = try destination.reserveKeys([root: Int(last - first)])
  }

  /// Adds the join rows and the orders of members, because the copied rows do not contain them.
  private func addMembers(
    of entity: CompiledEntity, _ sources: [Int64], _ changes: inout ChangeSet
  ) throws(StoreError) {
    for property in entity.properties where !property.isTransient {
      guard let relationship = property.relationship, relationship.isToMany else { continue }
      let isOwner = isOwner(entity, property, relationship)
      guard isOwner || relationship.isOrdered else { continue }
      let lists = try source.destinations(of: property, in: entity, sources: sources)
      for (key, members) in zip(sources, lists) where !members.isEmpty {
        let owner = ObjectKey(entityIndex: entity.index, key: key)
        if isOwner { changes.joinRows += joinRows(from: owner, property, members) }
        if relationship.isOrdered {
          changes.orderings.append(
            ChangeSet.Ordering(
              entityIndex: property.declaringEntityIndex, ordinal: property.ordinal,
              source: owner, members: members.map(\.key), isWhole: true, removed: []))
        }
      }
    }
  }

  private func joinRows(
    from owner: ObjectKey, _ property: CompiledProperty, _ members: [ObjectKey]
  ) -> [ChangeSet.JoinRow] {
    let relationship = property.relationship
    let isReflexive =
      relationship?.inverseOrdinal == property.ordinal
      && relationship?.destinationIndex == property.declaringEntityIndex
    return members.filter { !isReflexive || owner.key <= $0.key }.map { member in
      ChangeSet.JoinRow(
        entityIndex: property.declaringEntityIndex, ordinal: property.ordinal, source: owner,
        destination: member, isAdded: true)
    }
  }

  /// Whether a save writes the join rows of a relationship from this side.
  private func isOwner(
    _ entity: CompiledEntity, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) -> Bool {
    guard let inverse = relationship.inverseOrdinal else { return true }
    let other = model.entities[relationship.destinationIndex].properties[inverse]
    guard other.relationship?.isToMany == true else { return false }
    if property.declaringEntityIndex != other.declaringEntityIndex {
      return property.declaringEntityIndex < other.declaringEntityIndex
    }
    return property.name <= other.name
  }

  /// The application's metadata together with the values that the new store wrote.
  private func metadata() throws(StoreError) -> StoreMetadata {
    let own = try destination.metadata()
    let given = if let pendingMetadata { pendingMetadata } else { try source.metadata() }
    return MetadataList.withoutHistory(given).merging(own) { _, own in own }
  }
}
