internal import OpenObjectModel
internal import OpenStoreContract

/// Prefetches the destinations of relationships for all rows that were read from a store.
///
/// A statement reads up to 1,000 keys. An instance prefetches for the rows of one fetch or batch.
///
/// > Concurrency: Confined to the context's queue.
struct Prefetch {
  let context: NSManagedObjectContext
  let store: NSPersistentStore
  /// The position of the store.
  let position: Int

  /// Reads the destinations of the relationships along a key path.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows.
  ///   - chunks: The rows, which this thread has read. They retain the rows of the destinations.
  /// - Throws: `StoreError`.
  func run(_ keyPath: String, of entity: CompiledEntity, _ chunks: [RowChunk]) throws {
    try run(keyPath.split(separator: ".").map(String.init)[...], of: entity, chunks)
  }

  private func run(
    _ path: ArraySlice<String>, of entity: CompiledEntity, _ chunks: [RowChunk]
  ) throws {
    guard let name = path.first else { return }
    guard let ordinal = entity.ordinal(of: name),
      let relationship = entity.properties[ordinal].relationship
    else {
      throw StoreError(
        .unsupportedPredicate,
        "A key path for prefetching must contain only relationships. \(name) is not a relationship.",
        entityName: entity.name, propertyName: name)
    }
    let property = entity.properties[ordinal]
    // No store contains the destinations of a transient relationship.
    if property.isTransient { return }
    let destination = context.model.entities[relationship.destinationIndex]
    let keys =
      relationship.isToMany
      ? try loadMembers(of: property, in: entity, chunks) : foreignKeys(property, in: chunks)
    let read = try rows(of: destination, keys)
    for chunk in read { context.source.publish(chunk, in: store) }
    for chunk in chunks { chunk.prefetched += read }
    let rest = path.dropFirst()
    if !relationship.isToMany, Self.hasToManyStep(rest, from: destination) {
      keepDestinations(of: property, in: entity, chunks, read)
    }
    if !rest.isEmpty { try run(rest, of: destination, read) }
  }

  /// Returns whether a path contains a to-many relationship.
  private static func hasToManyStep(
    _ path: ArraySlice<String>, from entity: CompiledEntity
  ) -> Bool {
    guard let name = path.first, let ordinal = entity.ordinal(of: name),
      let relationship = entity.properties[ordinal].relationship
    else { return false }
    return relationship.isToMany
      || hasToManyStep(path.dropFirst(), from: relationship.destination)
  }

  /// Registers the destinations of a to-one relationship, which then can hold the members of their
  /// to-many relationships. The registered objects of the rows retain the destinations.
  ///
  /// - Parameters:
  ///   - chunks: The rows that have the to-one relationship.
  ///   - read: The rows of the destinations.
  private func keepDestinations(
    of property: CompiledProperty, in entity: CompiledEntity, _ chunks: [RowChunk],
    _ read: [RowChunk]
  ) {
    let registry = context.registry
    var destinations: [NSManagedObject] = []
    for chunk in read {
      chunk.forEachRow { row in
        let destination = context.registered(
          context.model.entities[row.entityIndex], key: row.key, store: position)
        FaultResolver.attach(row, to: destination)
        destinations.append(destination)
      }
    }
    withExtendedLifetime(destinations) {
      for chunk in chunks {
        chunk.forEachRow { row in
          let source = registry.identityMap.object(
            store: position, root: entity.rootIndex, key: row.key)
          source?.keepKnownDestination(property.ordinal)
        }
      }
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

  /// Loads a to-many relationship for all registered objects of the rows.
  ///
  /// - Returns: The keys of the members.
  private func loadMembers(
    of property: CompiledProperty, in entity: CompiledEntity, _ chunks: [RowChunk]
  ) throws -> [Int64] {
    let registry = context.registry
    var sources: [Int64] = []
    for chunk in chunks { chunk.forEachRow { sources.append($0.key) } }
    let members = try context.source.destinations(
      of: property, in: entity, sources: sources, in: store)
    var keys: [Int64] = []
    for (source, destinations) in zip(sources, members) {
      keys += destinations.map(\.key)
      guard
        let object = registry.identityMap.object(
          store: position, root: entity.rootIndex, key: source),
        object.registration == .persistent, let relationship = property.relationship
      else { continue }
      let state = object.makeExtras().makeMembers(property.ordinal, property.relationship)
      guard !state.isLoaded, !state.isEdited else { continue }
      let stored = destinations.map { context.registered($0, store: position) }
        .filter { FaultLoader.isMember($0, of: object, relationship) }
      state.load(stored + context.memberships.dropped.members(of: object, property))
      registry.note(state, of: object)
    }
    return Array(Set(keys)).sorted()
  }

  /// Reads rows by key in as few statements as possible and attaches them to registered faults.
  private func rows(of entity: CompiledEntity, _ keys: [Int64]) throws(StoreError) -> [RowChunk] {
    var chunks: [RowChunk] = []
    var start = 0
    while start < keys.count {
      let end = min(start + FaultGroup.limit, keys.count)
      let part = Array(keys[start..<end])
      for chunk in try context.source.rows(of: entity, keys: part, in: store) {
        chunks.last?.next = chunk
        chunks.append(chunk)
        FaultResolver.attach(
          rowsOf: chunk, root: entity.rootIndex, store: position, in: context.registry)
      }
      start = end
    }
    return chunks
  }
}
