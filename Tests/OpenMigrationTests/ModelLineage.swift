import Foundation
import OpenObjectModel

/// Versions of a model generated from a seed, with a known history of each entity and property.
///
/// Entities and properties are renamed, exchange their names, come and go. A renaming identifier is the first name of a thing, as
/// Apple's documentation has it; it stays while the name is another one. Only things that are in every version exchange names: two
/// others could have one name, and no version in common.
struct ModelLineage {
  /// An entity or a property; the number says which one it is in all versions.
  struct Thing {
    let number: Int
    let firstName: String
    var name: String
    /// The number of the destination of a relationship.
    var destination: Int?
    /// Whether the thing is in every version.
    var isPermanent: Bool

    var identifier: String? { name == firstName ? nil : firstName }
  }

  /// An entity with its properties.
  struct Entity {
    var thing: Thing
    var properties: [Thing]
  }

  private(set) var versions: [[Entity]] = []
  private var numbers: SeededNumbers
  private var count = 0

  init(seed: UInt64, versionCount: Int) {
    numbers = SeededNumbers(seed)
    var entities: [Entity] = []
    for _ in 0..<4 { addEntity(to: &entities) }
    versions.append(entities)
    for _ in 1..<versionCount {
      for _ in 0..<Int.random(in: 1...6, using: &numbers) { change(&entities) }
      versions.append(entities)
    }
  }

  private mutating func thing(_ prefix: String, to destination: Int? = nil) -> Thing {
    count += 1
    return Thing(
      number: count, firstName: "\(prefix)\(count)", name: "\(prefix)\(count)",
      destination: destination, isPermanent: versions.isEmpty)
  }

  private mutating func addEntity(to entities: inout [Entity]) {
    var entity = Entity(thing: thing("E"), properties: [])
    for _ in 0..<3 { entity.properties.append(thing("p")) }
    entities.append(entity)
  }

  private mutating func change(_ entities: inout [Entity]) {
    let place = Int.random(in: entities.indices, using: &numbers)
    switch Int.random(in: 0...9, using: &numbers) {
    case 0: addEntity(to: &entities)
    case 1 where !entities[place].thing.isPermanent:
      let number = entities.remove(at: place).thing.number
      for other in entities.indices {
        entities[other].properties.removeAll { $0.destination == number }
      }
    case 2: entities[place].properties.append(thing("p"))
    case 3:
      let destination = entities.randomElement(using: &numbers)?.thing.number
      entities[place].properties.append(thing("r", to: destination))
    case 4:
      let removable = entities[place].properties.filter { !$0.isPermanent }
      let number = removable.randomElement(using: &numbers)?.number
      entities[place].properties.removeAll { $0.number == number }
    case 5, 6:
      var things = entities.map(\.thing)
      rename(&things)
      for index in entities.indices { entities[index].thing = things[index] }
    default: rename(&entities[place].properties)
    }
  }

  /// Gives a thing a new name or its first one, or passes the names of several things round.
  private mutating func rename(_ things: inout [Thing]) {
    guard !things.isEmpty else { return }
    let place = Int.random(in: things.indices, using: &numbers)
    switch Int.random(in: 0...3, using: &numbers) {
    case 0:
      count += 1
      things[place].name = "n\(count)"
    case 1:
      let name = things[place].firstName
      if !things.contains(where: { $0.name == name }) { things[place].name = name }
    default:
      let places = things.indices.filter { things[$0].isPermanent }.shuffled(using: &numbers)
        .prefix(Int.random(in: 2...3, using: &numbers))
      let names = places.map { things[$0].name }
      for (place, name) in zip(places, names.dropFirst() + names.prefix(1)) {
        things[place].name = name
      }
    }
  }

  /// The model of a version.
  func model(_ version: Int) -> NSManagedObjectModel {
    Models.make { models in
      var entities: [Int: NSEntityDescription] = [:]
      for entity in versions[version] {
        entities[entity.thing.number] = models.entity(
          entity.thing.name, renaming: entity.thing.identifier)
      }
      for entity in versions[version] {
        for property in entity.properties {
          guard let description = entities[entity.thing.number] else { continue }
          if let number = property.destination {
            guard let destination = entities[number] else { continue }
            description.relationship(
              property.name, to: destination, isToMany: property.number.isMultiple(of: 2),
              renaming: property.identifier)
          } else {
            description.attribute(property.name, renaming: property.identifier)
          }
        }
      }
    }
  }
}
