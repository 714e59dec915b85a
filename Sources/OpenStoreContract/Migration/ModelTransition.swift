public import OpenObjectModel

/// The mapping of rows between two models, in which each source entity has at most one destination.
///
/// A store uses a transition to migrate its rows. Mappings with expressions or policies have no
/// transition; a migration manager executes such mappings with managed objects.
public struct ModelTransition: Sendable {
  public let source: CompiledModel
  public let destination: CompiledModel
  /// The transition of each destination entity, by position in the destination model; nil for a new
  /// entity.
  public let entities: [EntityTransition?]

  /// Creates a transition.
  ///
  /// - Parameter entities: The transition of each entity of the destination model, by position; nil
  ///   for a new entity. Each source entity occurs at most once.
  public init(
    from source: CompiledModel, to destination: CompiledModel, entities: [EntityTransition?]
  ) {
    self.source = source
    self.destination = destination
    self.entities = entities
  }

  /// The position of the destination entity of each source entity; nil if the rows are deleted.
  public var destinations: [Int?] {
    var destinations: [Int?] = Array(repeating: nil, count: source.entities.count)
    for (index, entity) in entities.enumerated() {
      if let entity { destinations[entity.sourceIndex] = index }
    }
    return destinations
  }
}

/// The mapping of rows of one source entity to rows of one destination entity.
public struct EntityTransition: Sendable {
  /// The position of the source entity in its model.
  public let sourceIndex: Int
  /// The ordinals of the source properties, by the ordinal of the destination property.
  ///
  /// Elements of composite attributes are included. The entry is nil for a property that is new,
  /// derived or transient; such a property gets its default value, or no value. A required
  /// attribute with an optional source attribute gets its default value in rows without a source
  /// value.
  public let properties: [Int?]

  /// Creates a transition from a source entity.
  ///
  /// - Parameters:
  ///   - sourceIndex: The position of the source entity in its model.
  ///   - properties: The ordinals of the source properties; see ``properties``.
  public init(sourceIndex: Int, properties: [Int?]) {
    self.sourceIndex = sourceIndex
    self.properties = properties
  }
}
