public import OpenObjectModel

/// The mapping of rows between two models, with each source entity mapped to one destination entity.
///
/// A store uses it to migrate its rows. Mappings with expressions or policies have no transition; a migration manager
/// executes them with objects.
public struct ModelTransition: Sendable {
  public let source: CompiledModel
  public let destination: CompiledModel
  /// By position in the destination model; nil for an entity that is new.
  public let entities: [EntityTransition?]

  /// Creates a transition.
  ///
  /// - Parameter entities: The source of each destination entity, by position in the destination model, or nil for a new
  ///   entity. Each source entity occurs at most once.
  public init(
    from source: CompiledModel, to destination: CompiledModel, entities: [EntityTransition?]
  ) {
    self.source = source
    self.destination = destination
    self.entities = entities
  }

  /// The position of the destination entity of each source entity; nil if its rows are deleted.
  public var destinations: [Int?] {
    var destinations: [Int?] = Array(repeating: nil, count: source.entities.count)
    for (index, entity) in entities.enumerated() {
      if let entity { destinations[entity.sourceIndex] = index }
    }
    return destinations
  }
}

/// How the rows of one source entity become rows of one destination entity.
public struct EntityTransition: Sendable {
  /// The position of the source entity in its model.
  public let sourceIndex: Int
  /// The ordinal of the source property by ordinal of the destination property, including elements of composite
  /// attributes; nil for a property that is new, derived or transient: rows get the default value, or nothing.
  ///
  /// An attribute that must have a value, and whose source need not, gets the default value where the source has none.
  public let properties: [Int?]

  /// Creates a transition.
  public init(sourceIndex: Int, properties: [Int?]) {
    self.sourceIndex = sourceIndex
    self.properties = properties
  }
}
