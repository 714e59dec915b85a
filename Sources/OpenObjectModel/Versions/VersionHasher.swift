/// Computes version hashes, which determine whether a model matches a store.
///
/// A hasher keeps its results, so that each entity and property of a model is hashed only once. Use
/// a new hasher for each task, because a hasher does not detect later changes of the model. In an
/// invalid model, an entity that is its own ancestor also receives a hash, but the hash has no
/// meaning.
///
/// > Concurrency: Confined to the thread of the model.
final class VersionHasher {
  typealias Hash = [UInt8]

  /// The results for an entity that its descendants need.
  private struct Entry {
    let hash: Hash
    /// The hashed properties, own and inherited, sorted by name.
    let properties: [(name: String, hash: Hash)]
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var composites: [ObjectIdentifier: Hash] = [:]
  /// The maximum nesting of composite attributes, which code can create without limit.
  private static let compositeDepthLimit = 64

  // MARK: Entities

  func hash(_ entity: NSEntityDescription) -> Hash {
    if let known = entries[ObjectIdentifier(entity)] { return known.hash }
    var inherited: Entry?
    for ancestor in unknownAncestry(of: entity).reversed() {
      inherited = inherited ?? ancestor.superentity.flatMap { entries[ObjectIdentifier($0)] }
      let entry = makeEntry(ancestor, inherited)
      entries[ObjectIdentifier(ancestor)] = entry
      inherited = entry
    }
    return inherited?.hash ?? []
  }

  /// Returns the entity and its ancestors, up to the first one that is known or occurs again.
  private func unknownAncestry(of entity: NSEntityDescription) -> [NSEntityDescription] {
    var ancestry: [NSEntityDescription] = []
    var seen: Set<ObjectIdentifier> = []
    var current: NSEntityDescription? = entity
    while let next = current, entries[ObjectIdentifier(next)] == nil,
      seen.insert(ObjectIdentifier(next)).inserted
    {
      ancestry.append(next)
      current = next.superentity
    }
    return ancestry
  }

  private func makeEntry(_ entity: NSEntityDescription, _ parent: Entry?) -> Entry {
    let properties = merged(parent?.properties ?? [], hashedProperties(of: entity))
    var message = Array((entity.name ?? "").utf8)
    message.append(entity.isAbstract ? 1 : 0)
    message += parent?.hash ?? []
    for property in properties { message += property.hash }
    message += Array((entity.versionHashModifier ?? "").utf8)
    for constraint in entity.constraintNames.map({ $0.joined(separator: ".") })
      .sorted(by: precedes)
    {
      message += Array(constraint.utf8)
    }
    return Entry(hash: SHA2.hash256(message), properties: properties)
  }

  private func hashedProperties(
    of entity: NSEntityDescription
  ) -> [(name: String, hash: Hash)] {
    entity.ownProperties
      .filter { !$0.isTransient && !($0 is NSFetchedPropertyDescription) }
      .map { ($0.name, hash($0)) }
      .sorted { precedes($0.name, $1.name) }
  }

  /// Merges two sorted lists; of two properties with one name, the inherited one counts.
  private func merged(
    _ inherited: [(name: String, hash: Hash)], _ own: [(name: String, hash: Hash)]
  ) -> [(name: String, hash: Hash)] {
    guard !own.isEmpty else { return inherited }
    var merged: [(name: String, hash: Hash)] = []
    merged.reserveCapacity(inherited.count + own.count)
    var rest = own[...]
    for property in inherited {
      while let next = rest.first, precedes(next.name, property.name) {
        merged.append(next)
        rest.removeFirst()
      }
      if rest.first?.name == property.name { rest.removeFirst() }
      merged.append(property)
    }
    return merged + rest
  }

  /// Compares strings by code points, which is the order of their UTF-8 bytes.
  private func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  // MARK: Properties

  func hash(_ property: NSPropertyDescription) -> Hash { hash(property, depth: 0) }

  private func hash(_ property: NSPropertyDescription, depth: Int) -> Hash {
    switch property {
    case let composite as NSCompositeAttributeDescription: hash(of: composite, depth)
    case let derived as NSDerivedAttributeDescription:
      SHA2.hash256(Array(DerivationText.text(derived).utf8))
    case let attribute as NSAttributeDescription: hash(of: attribute)
    case let relationship as NSRelationshipDescription: hash(of: relationship)
    default: common(property)
    }
  }

  /// Returns the part of the hash that all kinds of properties have in common.
  private func common(_ property: NSPropertyDescription) -> Hash {
    var message = Array(property.name.utf8)
    // The second byte is zero in every known store; its meaning is unknown.
    message += [property.isOptional ? 1 : 0, 0]
    message += Array((property.versionHashModifier ?? "").utf8)
    return SHA2.hash256(message)
  }

  private func hash(of attribute: NSAttributeDescription) -> Hash {
    var message = common(attribute)
    message += bytes(attribute.type.rawValue)
    if attribute.preservesValueInHistoryOnDeletion { message.append(1) }
    if attribute.allowsExternalBinaryDataStorage { message.append(1) }
    return SHA2.hash256(message)
  }

  private func hash(of relationship: NSRelationshipDescription) -> Hash {
    var message = common(relationship)
    message += Array((relationship.destinationEntity?.name ?? "").utf8)
    message += Array((relationship.inverseRelationship?.name ?? "").utf8)
    // A maximum of -1 or of the greatest integer is hashed as FFFFFFFF; a maximum of 0 is hashed as
    // 0.
    message += bytes(relationship.maxCount) + bytes(relationship.minCount)
    if relationship.isOrdered { message += [1, 0] }
    return SHA2.hash256(message)
  }

  private func hash(of composite: NSCompositeAttributeDescription, _ depth: Int) -> Hash {
    if let known = composites[ObjectIdentifier(composite)] { return known }
    guard depth < Self.compositeDepthLimit else { return [] }
    // The hash that is used if the attribute contains itself.
    composites[ObjectIdentifier(composite)] = []
    let elements = composite.elements.sorted { precedes($0.name, $1.name) }
    let hash = SHA2.hash256(elements.flatMap { self.hash($0, depth: depth + 1) })
    composites[ObjectIdentifier(composite)] = hash
    return hash
  }

  /// Returns the low 32 bits, least significant byte first.
  private func bytes(_ number: some BinaryInteger) -> [UInt8] {
    let word = UInt32(truncatingIfNeeded: number)
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  }
}
