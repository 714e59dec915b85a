import Foundation
import OpenObjectModel
import OpenPredicates
import class OpenPredicates.NSExpression

/// A generator with a seed.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next() -> UInt64 {
    state = state &+ 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Whether something of this probability happens.
  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }
}

/// A model as plain values, which a random change can edit.
struct RandomModel {
  struct Attribute {
    /// Stays the same when the attribute is renamed.
    var identity: Int
    var name: String
    var type: NSAttributeDescription.AttributeType
    var isOptional = true
    var hasDefault = false
    var isExternal = false
    var isIndexed = false
    var isUnique = false
    /// The name in the model before.
    var renaming: String?
  }

  struct Relationship {
    var identity: Int
    var name: String
    /// Index of the destination.
    var destination: Int
    var isToMany: Bool
    var isOrdered = false
    /// Identity of the inverse.
    var inverse: Int?
    var renaming: String?
  }

  struct Entity {
    var identity: Int
    var name: String
    /// Identity of the parent.
    var parent: Int?
    var isAbstract = false
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    var renaming: String?
    /// Name of a relationship that is counted.
    var counts: String?
  }

  /// By identity.
  var entities: [Int: Entity] = [:]
  private var count = 0

  mutating func makeIdentity() -> Int {
    count += 1
    return count
  }

  var order: [Int] { entities.keys.sorted() }

  func lineage(_ identity: Int) -> [Int] {
    var lineage: [Int] = []
    var next: Int? = identity
    while let current = next {
      lineage.append(current)
      next = entities[current]?.parent
    }
    return lineage
  }

  func root(_ identity: Int) -> Int { lineage(identity).last ?? identity }

  func attributes(of identity: Int) -> [Attribute] {
    lineage(identity).flatMap { entities[$0]?.attributes ?? [] }
  }

  func relationships(of identity: Int) -> [Relationship] {
    lineage(identity).flatMap { entities[$0]?.relationships ?? [] }
  }

  func children(of identity: Int) -> [Int] { order.filter { entities[$0]?.parent == identity } }

  // MARK: Making

  static let types: [NSAttributeDescription.AttributeType] = [
    .string, .integer64, .integer16, .double, .boolean, .date, .uuid, .binaryData, .decimal, .uri,
  ]

  static func random(using numbers: inout Seeded) -> RandomModel {
    var model = RandomModel()
    for _ in 0..<Int.random(in: 2...3, using: &numbers) {
      let root = model.addEntity(parent: nil, using: &numbers)
      for _ in 0..<Int.random(in: 0...2, using: &numbers) {
        let child = model.addEntity(parent: root, using: &numbers)
        if numbers.chance(0.2) { model.addEntity(parent: child, using: &numbers) }
      }
      if !model.children(of: root).isEmpty, numbers.chance(0.2) {
        model.entities[root]?.isAbstract = true
      }
    }
    for _ in 0..<Int.random(in: 1...4, using: &numbers) { model.addRelationship(using: &numbers) }
    return model
  }

  @discardableResult
  mutating func addEntity(parent: Int?, using numbers: inout Seeded) -> Int {
    let identity = makeIdentity()
    // Numbers and tables follow names, not the order of creation.
    let letter = numbers.pick(Array("ABCDEFGHIJ")) ?? "A"
    entities[identity] = Entity(identity: identity, name: "\(letter)e\(identity)", parent: parent)
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      addAttribute(to: identity, using: &numbers)
    }
    return identity
  }

  mutating func addAttribute(to entity: Int, using numbers: inout Seeded) {
    let identity = makeIdentity()
    var attribute = Attribute(
      identity: identity, name: "a\(identity)", type: numbers.pick(Self.types) ?? .string)
    attribute.hasDefault = numbers.chance(0.4)
    attribute.isIndexed = numbers.chance(0.2)
    attribute.isExternal = attribute.type == .binaryData && numbers.chance(0.5)
    entities[entity]?.attributes.append(attribute)
  }

  mutating func addRelationship(using numbers: inout Seeded) {
    guard let owner = numbers.pick(order), let destination = numbers.pick(order) else { return }
    let (one, other) = (makeIdentity(), makeIdentity())
    var first = Relationship(
      identity: one, name: "r\(one)", destination: destination, isToMany: numbers.chance(0.5))
    first.isOrdered = first.isToMany && numbers.chance(0.3)
    if numbers.chance(0.75) {
      first.inverse = other
      var second = Relationship(
        identity: other, name: "r\(other)", destination: owner, isToMany: numbers.chance(0.5))
      second.isOrdered = second.isToMany && numbers.chance(0.3)
      second.inverse = one
      entities[destination]?.relationships.append(second)
    }
    entities[owner]?.relationships.append(first)
    if first.isToMany, numbers.chance(0.3), entities[owner]?.counts == nil {
      entities[owner]?.counts = first.name
    }
  }

  /// The relationship of an identity, with its owner.
  func relationship(_ identity: Int) -> (owner: Int, relationship: Relationship)? {
    for entity in order {
      if let found = entities[entity]?.relationships.first(where: { $0.identity == identity }) {
        return (entity, found)
      }
    }
    return nil
  }

  // MARK: Description

  func make() -> NSManagedObjectModel {
    var made: [Int: NSEntityDescription] = [:]
    for identity in order {
      guard let entity = entities[identity] else { continue }
      let description = NSEntityDescription()
      description.name = entity.name
      description.isAbstract = entity.isAbstract
      if let renaming = entity.renaming { description.renamingIdentifier = renaming }
      made[identity] = description
    }
    var relationships: [Int: NSRelationshipDescription] = [:]
    for identity in order {
      guard let entity = entities[identity], let description = made[identity] else { continue }
      if let parent = entity.parent { made[parent]?.subentities.append(description) }
      description.properties = entity.attributes.map { Self.description(of: $0) }
      for relationship in entity.relationships {
        let made = Self.description(of: relationship, to: made[relationship.destination])
        relationships[relationship.identity] = made
        description.properties.append(made)
      }
      if let counted = entity.counts {
        let derived = NSDerivedAttributeDescription()
        derived.name = "count\(identity)"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(forKeyPath: "\(counted).@count")
        description.properties.append(derived)
      }
      description.indexes = entity.attributes.filter(\.isIndexed).map { attribute in
        NSFetchIndexDescription(
          name: "by\(attribute.identity)",
          elements: [
            NSFetchIndexElementDescription(
              property: description.propertiesByName[attribute.name]!, collationType: .binary)
          ])
      }
      description.uniquenessConstraints = entity.attributes.filter(\.isUnique).map { [$0.name] }
    }
    for identity in order {
      for relationship in entities[identity]?.relationships ?? [] {
        relationships[relationship.identity]?.inverseRelationship = relationship.inverse.flatMap {
          relationships[$0]
        }
      }
    }
    let model = NSManagedObjectModel()
    model.entities = order.compactMap { made[$0] }
    return model
  }

  private static func description(of attribute: Attribute) -> NSAttributeDescription {
    let made = NSAttributeDescription()
    made.name = attribute.name
    made.type = attribute.type
    made.isOptional = attribute.isOptional
    made.allowsExternalBinaryDataStorage = attribute.isExternal
    if attribute.hasDefault { made.defaultValue = value(attribute.type, 0) }
    if let renaming = attribute.renaming { made.renamingIdentifier = renaming }
    return made
  }

  private static func description(
    of relationship: Relationship, to destination: NSEntityDescription?
  ) -> NSRelationshipDescription {
    let made = NSRelationshipDescription()
    made.name = relationship.name
    made.destinationEntity = destination
    made.isOptional = true
    made.maxCount = relationship.isToMany ? 0 : 1
    made.isOrdered = relationship.isOrdered
    if let renaming = relationship.renaming { made.renamingIdentifier = renaming }
    return made
  }

  /// A value of a type; 0 is the default value.
  static func value(_ type: NSAttributeDescription.AttributeType, _ number: Int) -> Any {
    switch type {
    case .integer64, .integer16: number * 3 + 1
    case .double: Double(number) + 0.25
    case .boolean: number % 2 == 0
    case .date: Date(timeIntervalSinceReferenceDate: Double(number) + 0.5)
    case .uuid:
      UUID(
        uuid: (
          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number >> 8 & 255),
          UInt8(number & 255)
        ))
    case .binaryData:
      // Some values are large enough for separate files.
      Data(repeating: UInt8(number & 255), count: number % 7 == 3 ? 140_000 : 5)
    case .decimal: NSDecimalNumber(value: number * 5)
    case .uri: URL(string: "https://example.org/\(number)") ?? URL(fileURLWithPath: "/")
    default: "it's \(number)"
    }
  }
}
