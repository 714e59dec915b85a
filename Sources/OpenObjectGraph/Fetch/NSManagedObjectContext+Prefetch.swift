internal import OpenObjectModel
internal import OpenStoreContract

// Prefetching: the destinations of a relationship of all fetched rows, in statements of up to 1000 keys.

extension NSManagedObjectContext {
  /// Reads the destinations that a path of relationships leads to from the rows of chunks.
  ///
  /// The chunks, which this thread read, keep the destinations' rows alive.
  func prefetch(
    _ path: [String], of entity: CompiledEntity, _ chunks: [RowChunk],
    from store: NSPersistentStore, at position: Int
  ) throws {
    guard let name = path.first else { return }
    guard let ordinal = entity.ordinal(of: name),
      let relationship = entity.properties[ordinal].relationship
    else {
      throw StoreError(
        .unsupportedPredicate,
        "A key path for prefetching must name relationships; \(name) is none.",
        entityName: entity.name, propertyName: name)
    }
    let property = entity.properties[ordinal]
    let destination = model.entities[relationship.destinationIndex]
    let keys =
      relationship.isToMany
      ? try prefetchMembers(of: property, in: entity, chunks, from: store, at: position)
      : foreignKeys(property, in: chunks)
    let read = try rows(of: destination, keys, from: store, at: position)
    publish(read, in: store)
    for chunk in chunks { chunk.companions += read }
    if path.count > 1 {
      try prefetch(Array(path.dropFirst()), of: destination, read, from: store, at: position)
    }
  }

  private func foreignKeys(_ property: CompiledProperty, in chunks: [RowChunk]) -> [Int64] {
    guard let slot = property.slot else { return [] }
    var keys: [Int64] = []
    var seen: Set<Int64> = []
    var last: Int64 = 0
    for chunk in chunks {
      chunk.forEachRowAddress { address in
        let row = RowView(address)
        row.prefetchAhead()
        let key = row.integer(at: property.byteOffset)
        guard key != last, !row.isNull(slot) else { return }
        last = key
        if seen.insert(key).inserted { keys.append(key) }
      }
    }
    return keys
  }

  /// Loads a to-many relationship of all registered objects of the rows.
  private func prefetchMembers(
    of property: CompiledProperty, in entity: CompiledEntity, _ chunks: [RowChunk],
    from store: NSPersistentStore, at position: Int
  ) throws -> [Int64] {
    var sources: [Int64] = []
    for chunk in chunks { chunk.forEachRow { sources.append($0.key) } }
    let members = try destinations(
      of: property, in: entity, sources: sources, in: store)
    var keys: [Int64] = []
    for (source, destinations) in zip(sources, members) {
      keys += destinations.map(\.key)
      guard
        let object = registry.identityMap.object(
          store: position, root: entity.rootIndex, key: source),
        object.registration == .persistent
      else { continue }
      let state = object.makeExtras().makeMembers(property.ordinal, property.relationship)
      guard !state.isLoaded, !state.isEdited else { continue }
      state.load(
        destinations.map {
          registered(model.entities[Int($0.entityIndex)], key: $0.key, store: position)
        })
      registry.note(state, of: object)
    }
    return Array(Set(keys)).sorted()
  }

  /// Reads rows by key, as many statements as needed, and gives them to registered faults.
  private func rows(
    of entity: CompiledEntity, _ keys: [Int64], from store: NSPersistentStore, at position: Int
  ) throws(StoreError) -> [RowChunk] {
    var chunks: [RowChunk] = []
    var start = 0
    while start < keys.count {
      let end = min(start + FaultGroup.limit, keys.count)
      for chunk in try self.rows(of: entity, keys: Array(keys[start..<end]), in: store) {
        chunks.last?.next = chunk
        chunks.append(chunk)
        attach(chunk, entity.rootIndex, at: position)
      }
      start = end
    }
    return chunks
  }

  private func attach(_ chunk: RowChunk, _ root: Int, at position: Int) {
    chunk.forEachRow { row in
      if let object = registry.identityMap.object(store: position, root: root, key: row.key) {
        FaultResolver.attach(row, to: object)
      }
    }
  }
}
