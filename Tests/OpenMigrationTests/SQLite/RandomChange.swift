import Foundation
import OpenObjectModel

/// Legal changes of a random model: those for which a mapping can be inferred.
extension RandomModel {
  /// The model of the next version, a few changes away; identities stay.
  func changed(using numbers: inout Seeded) -> RandomModel {
    var next = self
    for entity in order { next.entities[entity]?.renaming = nil }
    for _ in 0..<Int.random(in: 1...4, using: &numbers) {
      next.change(using: &numbers, since: self)
    }
    return next
  }

  private mutating func change(using numbers: inout Seeded, since old: RandomModel) {
    guard let entity = numbers.pick(order) else { return }
    switch Int.random(in: 0..<22, using: &numbers) {
    case 0, 1: addAttribute(to: entity, using: &numbers)
    case 2: removeAttribute(of: entity, using: &numbers)
    case 3, 4: renameAttribute(of: entity, using: &numbers, since: old)
    case 5: editAttribute(of: entity, using: &numbers) { $0.isIndexed.toggle() }
    case 6:
      editAttribute(of: entity, using: &numbers) { attribute in
        guard attribute.type == .binaryData else { return }
        attribute.isExternal.toggle()
      }
    case 7:
      editAttribute(of: entity, using: &numbers) { attribute in
        attribute.hasDefault = true
        attribute.isOptional = false
      }
    case 8, 9: renameEntity(entity, using: &numbers, since: old)
    case 10: addEntity(parent: numbers.chance(0.5) ? entity : nil, using: &numbers)
    case 11: removeEntity(entity)
    case 12: addRelationship(using: &numbers)
    case 13: removeRelationship(of: entity, using: &numbers)
    case 14: widenRelationship(of: entity, using: &numbers)
    case 15: moveAttribute(of: entity, using: &numbers)
    case 16: addParent(of: entity, using: &numbers)
    case 17, 20: entities[entity]?.parent = nil
    case 18: addInverse(of: entity, using: &numbers)
    default: renameRelationship(of: entity, using: &numbers, since: old)
    }
  }

  private mutating func editAttribute(
    of entity: Int, using numbers: inout Seeded, _ edit: (inout Attribute) -> Void
  ) {
    guard let count = entities[entity]?.attributes.count, count > 0 else { return }
    let index = Int.random(in: 0..<count, using: &numbers)
    var attribute = entities[entity]!.attributes[index]
    edit(&attribute)
    entities[entity]?.attributes[index] = attribute
  }

  private mutating func removeAttribute(of entity: Int, using numbers: inout Seeded) {
    guard let count = entities[entity]?.attributes.count, count > 0 else { return }
    entities[entity]?.attributes.remove(at: Int.random(in: 0..<count, using: &numbers))
  }

  private mutating func renameAttribute(
    of entity: Int, using numbers: inout Seeded, since old: RandomModel
  ) {
    let names = Dictionary(
      old.order.flatMap { old.entities[$0]?.attributes ?? [] }.map { ($0.identity, $0.name) }
    ) { first, _ in first }
    let suffix = Int.random(in: 0..<1000, using: &numbers)
    editAttribute(of: entity, using: &numbers) { attribute in
      guard let name = names[attribute.identity] else { return }
      attribute.name = "b\(attribute.identity)x\(suffix)"
      attribute.renaming = name
    }
  }

  private mutating func renameEntity(
    _ entity: Int, using numbers: inout Seeded, since old: RandomModel
  ) {
    guard let name = old.entities[entity]?.name else { return }
    let letter = numbers.pick(Array("ABCDEFGHIJ")) ?? "A"
    entities[entity]?.name = "\(letter)n\(entity)"
    entities[entity]?.renaming = name
  }

  private mutating func renameRelationship(
    of entity: Int, using numbers: inout Seeded, since old: RandomModel
  ) {
    guard let count = entities[entity]?.relationships.count, count > 0 else { return }
    let index = Int.random(in: 0..<count, using: &numbers)
    guard let relationship = entities[entity]?.relationships[index],
      let before = old.relationship(relationship.identity)?.relationship
    else { return }
    let name = "s\(relationship.identity)"
    if entities[entity]?.counts == relationship.name { entities[entity]?.counts = name }
    entities[entity]?.relationships[index].name = name
    entities[entity]?.relationships[index].renaming = before.name
  }

  /// Removes a leaf entity and every relationship to it.
  private mutating func removeEntity(_ entity: Int) {
    guard children(of: entity).isEmpty, order.count > 1 else { return }
    for other in order {
      for relationship in entities[other]?.relationships ?? []
      where relationship.destination == entity || other == entity {
        remove(relationship)
      }
    }
    entities[entity] = nil
  }

  private mutating func removeRelationship(of entity: Int, using numbers: inout Seeded) {
    guard let relationship = numbers.pick(entities[entity]?.relationships ?? []) else { return }
    // Or only its inverse.
    if numbers.chance(0.3), let inverse = relationship.inverse,
      let (owner, other) = self.relationship(inverse)
    {
      return drop(other, of: owner)
    }
    remove(relationship)
  }

  private mutating func remove(_ relationship: Relationship) {
    if let (owner, found) = self.relationship(relationship.identity) { drop(found, of: owner) }
    if let inverse = relationship.inverse, let (owner, other) = self.relationship(inverse) {
      drop(other, of: owner)
    }
  }

  private mutating func drop(_ relationship: Relationship, of owner: Int) {
    entities[owner]?.relationships.removeAll { $0.identity == relationship.identity }
    if entities[owner]?.counts == relationship.name { entities[owner]?.counts = nil }
    guard let inverse = relationship.inverse, let (other, _) = self.relationship(inverse),
      let index = entities[other]?.relationships.firstIndex(where: { $0.identity == inverse })
    else { return }
    entities[other]?.relationships[index].inverse = nil
  }

  /// Changes to-one to to-many, or adds or removes an order.
  private mutating func widenRelationship(of entity: Int, using numbers: inout Seeded) {
    guard let count = entities[entity]?.relationships.count, count > 0 else { return }
    let index = Int.random(in: 0..<count, using: &numbers)
    guard let relationship = entities[entity]?.relationships[index] else { return }
    if relationship.isToMany {
      entities[entity]?.relationships[index].isOrdered.toggle()
    } else {
      entities[entity]?.relationships[index].isToMany = true
    }
  }

  /// A to-many relationship gets an inverse.
  private mutating func addInverse(of entity: Int, using numbers: inout Seeded) {
    guard
      let index = entities[entity]?.relationships.firstIndex(where: {
        $0.inverse == nil && $0.isToMany
      }), let relationship = entities[entity]?.relationships[index]
    else { return }
    let identity = makeIdentity()
    var inverse = Relationship(
      identity: identity, name: "r\(identity)", destination: entity,
      isToMany: numbers.chance(0.3))
    inverse.inverse = relationship.identity
    entities[entity]?.relationships[index].inverse = identity
    entities[relationship.destination]?.relationships.append(inverse)
  }

  /// An attribute moves to the parent, or to the only child.
  private mutating func moveAttribute(of entity: Int, using numbers: inout Seeded) {
    guard let attribute = numbers.pick(entities[entity]?.attributes ?? []) else { return }
    let children = children(of: entity)
    guard
      let target = numbers.chance(0.5) ? entities[entity]?.parent : numbers.pick(children)
    else { return }
    // A mapping for other entities would have to say where a required value comes from.
    guard attribute.isOptional || attribute.hasDefault else { return }
    entities[entity]?.attributes.removeAll { $0.identity == attribute.identity }
    entities[target]?.attributes.append(attribute)
  }

  /// A new entity between an entity and its parent.
  private mutating func addParent(of entity: Int, using numbers: inout Seeded) {
    let parent = entities[entity]?.parent
    let new = addEntity(parent: parent, using: &numbers)
    entities[new]?.isAbstract = numbers.chance(0.5)
    entities[entity]?.parent = new
  }
}
