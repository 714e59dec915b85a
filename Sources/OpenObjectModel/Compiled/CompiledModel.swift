internal import Foundation
internal import Synchronization

/// The immutable form of a model, in which entities and properties refer to each other by position.
///
/// The library compiles a model when the model is first used, and never releases the compiled
/// model. Object ids and managed objects can therefore refer to their entity without retaining a
/// Core Data stack. Programs use only a few models, and each compiled model takes a few kilobytes.
///
/// > Concurrency: Usable on any thread, because the model is immutable.
public final class CompiledModel: Sendable {
  /// The entities of the model, in depth-first order.
  ///
  /// The `Z_ENT` of an entity in a store is the entity's position in this list plus 1. Root
  /// entities, and the subentities of each entity, are sorted by name, ignoring case.
  public let entities: [CompiledEntity]
  private let positions: NameTable
  /// The descriptions from which the model was compiled.
  // Invariant of the unsafe annotation: the descriptions are frozen before the compiled model
  // becomes accessible, and are only read afterward.
  nonisolated(unsafe) package let descriptions: NSManagedObjectModel
  static let retained = Mutex<[CompiledModel]>([])

  /// Compiles a model.
  ///
  /// - Parameter model: The model to compile.
  /// - Throws: `ModelError` if the model is invalid, for example with code `.danglingInverse`,
  ///   `.unknownEntity`, `.cyclicParents`, `.duplicateName` or `.undefinedType`.
  ///   ``ModelError/Code`` describes each code.
  /// - Complexity: O(*n*·*m*), where *n* is the number of entities and *m* is the number of
  ///   properties of an entity.
  public init(_ model: NSManagedObjectModel) throws(ModelError) {
    let plan = try ModelPlan(model)
    descriptions = model
    entities = plan.compile()
    positions = NameTable(entities.map(\.name))
    for entity in entities { entity.connect(to: self) }
    Self.retained.withLock { $0.append(self) }
  }

  /// Calls `find` with each model in use, newest first, until `find` returns a value, and returns
  /// this value; nil if `find` returns nil for every model.
  package static func last<Found>(_ find: (CompiledModel) -> Found?) -> Found? {
    let models = retained.withLock { $0 }
    for model in models.reversed() {
      if let found = find(model) { return found }
    }
    return nil
  }

  /// Returns the entity with the given name; nil if the model has no entity with this name.
  public func entity(named name: String) -> CompiledEntity? {
    positions.position(of: name).map { entities[$0] }
  }

  /// Returns the position of the entity with the given number in a store's files; nil if no entity
  /// has the number.
  ///
  /// - Parameter number: A value of `Z_ENT`, which may be invalid in a damaged file.
  package func entityIndex(numbered number: Int64) -> Int? {
    guard number > 0, number <= Int64(entities.count) else { return nil }
    return Int(number) - 1
  }
}
