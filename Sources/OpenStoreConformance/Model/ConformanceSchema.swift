import OpenObjectModel
import OpenPredicates
import OpenStoreContract
import Synchronization

/// The model of the checks, with methods that resolve names for plans and rows.
struct ConformanceSchema: Sendable {
  let model: CompiledModel

  private static let cache = Mutex<ConformanceSchema?>(nil)

  /// Returns the schema that all checks of a process share. The model is compiled only once,
  /// because compiled models are never released.
  static func shared() throws -> ConformanceSchema {
    try cache.withLock { cache in
      if let cache { return cache }
      let schema = ConformanceSchema(model: try CompiledModel(ConformanceModel.make()))
      cache = schema
      return schema
    }
  }

  func entity(_ name: String) throws -> CompiledEntity {
    try require(model.entity(named: name), "Entity \(name) of the compiled model")
  }

  func property(_ name: String, of entity: CompiledEntity) throws -> CompiledProperty {
    let ordinal = try require(entity.ordinal(of: name), "Property \(entity.name).\(name)")
    return entity.properties[ordinal]
  }

  /// Resolves a path such as "Person.home.name". A path that ends with "SELF" refers to the object
  /// at its end.
  func path(_ text: String) throws -> PropertyPath {
    let (start, steps, last) = try split(text)
    guard last != "SELF" else {
      return PropertyPath(entityIndex: start.index, steps: steps.ordinals, end: .object)
    }
    let ordinal = try property(last, of: steps.reached).ordinal
    return PropertyPath(
      entityIndex: start.index, steps: steps.ordinals, end: .property(ordinal: ordinal))
  }

  /// Resolves a path to a to-many relationship, such as "Person.employer.employees".
  func toMany(_ text: String) throws -> RelationshipPath {
    let (start, steps, last) = try split(text)
    return RelationshipPath(
      entityIndex: start.index, steps: steps.ordinals,
      ordinal: try property(last, of: steps.reached).ordinal)
  }

  private typealias Steps = (ordinals: [Int], reached: CompiledEntity)

  private func split(_ text: String) throws -> (CompiledEntity, Steps, String) {
    let names = text.split(separator: ".").map(String.init)
    let start = try entity(try require(names.first, "Entity of path \(text)"))
    var steps: Steps = ([], start)
    for name in names.dropFirst().dropLast() {
      let step = try property(name, of: steps.reached)
      let relationship = try require(step.relationship, "Relationship \(name) of \(text)")
      steps.ordinals.append(step.ordinal)
      steps.reached = model.entities[relationship.destinationIndex]
    }
    return (start, steps, names.last ?? "")
  }
}
