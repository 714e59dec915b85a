internal import Foundation
internal import OpenPredicates

/// Numbers the entities of a checked model and lays out their properties.
struct ModelPlan {
  /// An entity that is not compiled yet.
  private struct Node {
    var description: NSEntityDescription
    var name: String
    var superIndex: Int?
    var rootIndex: Int
    var subtree: Range<Int>
  }

  /// A property together with the entity that declares it.
  private struct Member {
    var property: NSPropertyDescription
    /// The property's name, or the path to an element of a composite attribute.
    var name: String
    var declaringIndex: Int
    var isElement = false
    var isTransient: Bool
    /// The distances from the member to its elements.
    var elements: Range<Int> = 0..<0
    /// The distances from an element to the elements of the innermost optional composite attribute
    /// that contains it.
    var optionalGroup: Range<Int>?
  }

  private var nodes: [Node] = []
  private var positions: [ObjectIdentifier: Int] = [:]
  private var members: [[Member]] = []
  /// The positions of properties among the members of their entities.
  private var ordinals: [ObjectIdentifier: Int] = [:]
  private let usesPlainObjects: Bool

  init(_ model: NSManagedObjectModel) throws(ModelError) {
    try ModelCheck(model.entities).run()
    usesPlainObjects = model.usesPlainObjects
    let roots = model.entities.filter { $0.superentity == nil }
    for root in Self.sorted(roots) { number(root, superIndex: nil, rootIndex: nil) }
    for index in nodes.indices {
      let inherited = inherited(index)
      let own = own(index)
      for (offset, member) in own.enumerated() {
        ordinals[ObjectIdentifier(member.property)] = inherited.count + offset
      }
      members.append(inherited + own)
    }
  }

  // MARK: Numbering

  private static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.sorted { one, other in
      let (one, other) = (one.name ?? "", other.name ?? "")
      let (small, otherSmall) = (one.lowercased(), other.lowercased())
      return small == otherSmall ? one < other : small < otherSmall
    }
  }

  private mutating func number(
    _ entity: NSEntityDescription, superIndex: Int?, rootIndex: Int?
  ) {
    let index = nodes.count
    positions[ObjectIdentifier(entity)] = index
    nodes.append(
      Node(
        description: entity, name: entity.name ?? "", superIndex: superIndex,
        rootIndex: rootIndex ?? index, subtree: index..<index + 1))
    for child in Self.sorted(entity.subentities) {
      number(child, superIndex: index, rootIndex: rootIndex ?? index)
    }
    nodes[index].subtree = index..<nodes.count
  }

  private func inherited(_ index: Int) -> [Member] {
    nodes[index].superIndex.map { members[$0] } ?? []
  }

  private func own(_ index: Int) -> [Member] {
    nodes[index].description.ownProperties
      .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      .filter { $0 is NSAttributeDescription || $0 is NSRelationshipDescription }
      .flatMap { members(of: $0, declaredIn: index) }
  }

  /// Returns a property, followed by the elements of a composite attribute in order.
  private func members(of property: NSPropertyDescription, declaredIn index: Int) -> [Member] {
    let member = Member(
      property: property, name: property.name, declaringIndex: index,
      isTransient: property.isTransient)
    guard let composite = property as? NSCompositeAttributeDescription else { return [member] }
    var members = [member]
    for (position, leaf) in composite.leaves.enumerated() {
      members.append(
        Member(
          property: leaf.attribute, name: leaf.path, declaringIndex: index, isElement: true,
          isTransient: property.isTransient || leaf.attribute.isTransient,
          optionalGroup: leaf.optionalGroup.map { Self.moved($0, by: -position) }))
    }
    members[0].elements = 1..<members.count
    return members
  }

  private static func moved(_ range: Range<Int>, by distance: Int) -> Range<Int> {
    range.lowerBound + distance..<range.upperBound + distance
  }

  // MARK: Layout

  func compile() -> [CompiledEntity] {
    // All entities of a tree share one count, because counting for each entity would take quadratic
    // time.
    var words: [Int: Int] = [:]
    for index in nodes.indices where nodes[index].superIndex == nil {
      words[index] = nullWordCount(root: index)
    }
    var entities: [CompiledEntity] = []
    for index in nodes.indices {
      entities.append(
        compile(
          index, nullWordCount: words[nodes[index].rootIndex] ?? 1,
          parent: nodes[index].superIndex.map { entities[$0] }))
    }
    return entities
  }

  /// Returns the number of words for the widest entity of a tree.
  private func nullWordCount(root: Int) -> Int {
    let widest =
      nodes[root].subtree.map { index in
        members[index].reduce(0) { $0 + slotKinds(of: $1).count }
      }.max() ?? 0
    return max(1, (widest + 63) / 64)
  }

  private func slotKinds(of member: Member) -> [SlotKind] {
    guard !member.isTransient else { return [] }
    let property = member.property
    if let attribute = property as? NSAttributeDescription {
      return attribute.valueType.slotKind.map { [$0] } ?? []
    }
    guard let relationship = property as? NSRelationshipDescription, !relationship.isToMany else {
      return []
    }
    return hasDiscriminator(relationship) ? [.integer, .integer] : [.integer]
  }

  private func hasDiscriminator(_ relationship: NSRelationshipDescription) -> Bool {
    guard let destination = relationship.destinationEntity,
      let index = positions[ObjectIdentifier(destination)]
    else { return false }
    return nodes[index].subtree.count > 1
  }

  /// Compiles the properties that an entity itself declares; the entity shares inherited properties
  /// with its parent.
  private func compile(
    _ index: Int, nullWordCount: Int, parent: CompiledEntity?
  ) -> CompiledEntity {
    var slots = parent?.slots ?? []
    var properties = parent?.properties ?? []
    for ordinal in properties.count..<members[index].count {
      let member = members[index][ordinal]
      let kinds = slotKinds(of: member)
      let slot = kinds.isEmpty ? nil : slots.count
      let compiledKind = kind(of: member, ordinal: ordinal, slot: slot)
      for (position, kind) in kinds.enumerated() {
        slots.append(
          CompiledSlot(
            kind: kind, propertyOrdinal: ordinal, isDiscriminator: position > 0,
            isDerived: compiledKind.isDerived,
            domain: (member.property as? NSAttributeDescription)?.valueType.slotDomain ?? .any))
      }
      properties.append(
        CompiledProperty(
          name: member.name, ordinal: ordinal, isOptional: member.property.isOptional,
          isTransient: member.isTransient, slot: slot,
          byteOffset: slot.map { 24 + 8 * nullWordCount + 8 * $0 } ?? 0,
          declaringEntityIndex: member.declaringIndex, isElement: member.isElement,
          optionalGroup: member.optionalGroup.map { Self.moved($0, by: ordinal) },
          isSearched: member.property.isIndexedBySpotlight && slot != nil
            && compiledKind.isTextOfPrograms,
          textPrefixLengths: TextPrefixLengths.named(by: member.property) ?? [],
          kind: compiledKind))
    }
    let node = nodes[index]
    let className = usesPlainObjects ? nil : node.description.managedObjectClassName
    return CompiledEntity(
      CompiledEntity.Parts(
        name: node.name, className: className ?? "NSManagedObject",
        isAbstract: node.description.isAbstract, index: index, superIndex: node.superIndex,
        rootIndex: node.rootIndex, subtree: node.subtree, properties: properties, slots: slots,
        nullWordCount: nullWordCount,
        declaredConstraints: node.description.constraintNames,
        fetchIndexes: node.description.compiledIndexes))
  }

  private func kind(
    of member: Member, ordinal: Int, slot: Int?
  ) -> CompiledProperty.Kind {
    if let relationship = member.property as? NSRelationshipDescription {
      return .relationship(compile(relationship, slot: slot))
    }
    let attribute = member.property as? NSAttributeDescription
    let derived = attribute as? NSDerivedAttributeDescription
    return .attribute(
      CompiledAttribute(
        type: attribute?.valueType ?? .undefined,
        defaultValue: attribute?.convertedDefault ?? .null,
        valueClassName: attribute?.attributeValueClassName,
        transformerName: attribute?.valueTransformerName,
        allowsExternalStorage: attribute?.allowsExternalBinaryDataStorage ?? false,
        validations: attribute?.compiledValidations ?? [],
        preservesValueInHistory: attribute?.preservesValueInHistoryOnDeletion ?? false,
        derivation: derived?.derivationExpression.flatMap { Derivation($0.node) },
        elements: member.elements.map { ordinal + $0 }))
  }

  private func compile(
    _ relationship: NSRelationshipDescription, slot: Int?
  ) -> CompiledRelationship {
    let destination = relationship.destinationEntity
    return CompiledRelationship(
      destinationIndex: destination.flatMap { positions[ObjectIdentifier($0)] } ?? 0,
      inverseOrdinal: relationship.inverseRelationship.flatMap { ordinals[ObjectIdentifier($0)] },
      isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
      deleteRule: DeleteRule(rawValue: relationship.deleteRule.rawValue) ?? .nullify,
      minCount: relationship.minCount,
      maxCount: relationship.maxCount == .max ? 0 : max(0, relationship.maxCount),
      discriminatorSlot: hasDiscriminator(relationship) && !relationship.isToMany
        ? slot.map { $0 + 1 } : nil,
      validations: relationship.compiledValidations)
  }
}
