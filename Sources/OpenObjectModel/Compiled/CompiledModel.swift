internal import Foundation
internal import Synchronization

/// The immutable form of a model, with positions instead of names.
///
/// A compiled model is created when the model is first used, and exists until the process ends:
/// object ids and managed objects refer to their entity without retaining a Core Data stack.
/// Programs use only a few models of a few kilobytes each.
///
/// > Concurrency: Usable on any thread, because the model is immutable.
public final class CompiledModel: Sendable {
  /// The entities in depth-first order, with roots sorted by name ignoring case; the position is
  /// `Z_ENT` − 1.
  public let entities: [CompiledEntity]
  private let positions: NameTable
  /// The descriptions from which the model was compiled.
  // Invariant of the unsafe annotation: the descriptions are frozen before the compiled model
  // becomes accessible, and are only read afterwards.
  nonisolated(unsafe) package let descriptions: NSManagedObjectModel
  static let retained = Mutex<[CompiledModel]>([])

  /// Compiles a model.
  ///
  /// - Throws: `ModelError` if the model cannot be used, for example because of an invalid inverse,
  ///   an unknown destination, cyclic parents, a duplicate name, or a stored attribute without a
  ///   type.
  /// - Complexity: O(*n*·*m*) in entities and properties.
  public init(_ model: NSManagedObjectModel) throws(ModelError) {
    let plan = try ModelPlan(model)
    descriptions = model
    entities = plan.compile()
    positions = NameTable(entities.map(\.name))
    for entity in entities { entity.connect(to: self) }
    Self.retained.withLock { $0.append(self) }
  }

  /// Returns the first result of `find` for the models in use, newest first; nil if there is none.
  package static func last<Found>(_ find: (CompiledModel) -> Found?) -> Found? {
    let models = retained.withLock { $0 }
    for model in models.reversed() {
      if let found = find(model) { return found }
    }
    return nil
  }

  /// Returns the entity with a name; nil if there is none.
  public func entity(named name: String) -> CompiledEntity? {
    positions.position(of: name).map { entities[$0] }
  }

  /// Returns the position of the entity with a number in a store's files; nil if no entity has the
  /// number.
  ///
  /// - Parameter number: A value of `Z_ENT`, which may be invalid in a damaged file.
  package func entityIndex(numbered number: Int64) -> Int? {
    guard number > 0, number <= Int64(entities.count) else { return nil }
    return Int(number) - 1
  }
}
