internal import Foundation
internal import Synchronization

/// Immutable form of a model: positions instead of names. Created once, when a model is first used.
///
/// A compiled model intentionally lives as long as the process: ids and objects refer to their entity without
/// retaining a stack. Programs use only a few models of a few kilobytes each.
///
/// > Concurrency: Immutable; usable on any thread.
public final class CompiledModel: Sendable {
  /// The entities, depth first, with roots sorted by name ignoring case; the position is `Z_ENT` − 1.
  public let entities: [CompiledEntity]
  private let positions: NameTable
  /// The descriptions that the model was compiled from.
  // Invariant of the unsafe annotation: frozen before the compiled model is handed out, and only read since.
  nonisolated(unsafe) package let descriptions: NSManagedObjectModel
  static let retained = Mutex<[CompiledModel]>([])

  /// Compiles a model.
  ///
  /// - Throws: `ModelError` for a dangling inverse, an unknown destination, cyclic parents, a name used twice,
  ///   or a stored attribute without type.
  /// - Complexity: O(entities × properties).
  public init(_ model: NSManagedObjectModel) throws(ModelError) {
    let plan = try ModelPlan(model)
    descriptions = model
    entities = plan.compile()
    positions = NameTable(entities.map(\.name))
    for entity in entities { entity.connect(to: self) }
    Self.retained.withLock { $0.append(self) }
  }

  /// What a search finds in the model compiled last, else in the one before, and so on.
  package static func last<Found>(_ find: (CompiledModel) -> Found?) -> Found? {
    let models = retained.withLock { $0 }
    for model in models.reversed() {
      if let found = find(model) { return found }
    }
    return nil
  }

  /// The entity of a name.
  ///
  /// - Returns: The entity of a name; nil if there is none.
  public func entity(named name: String) -> CompiledEntity? {
    positions.position(of: name).map { entities[$0] }
  }

  /// The position of the entity that has a number in a store's files, `nil` for a number that no entity has.
  ///
  /// - Parameter number: A value of `Z_ENT`, whatever a file holds there.
  package func entityIndex(numbered number: Int64) -> Int? {
    guard number > 0, number <= Int64(entities.count) else { return nil }
    return Int(number) - 1
  }
}
