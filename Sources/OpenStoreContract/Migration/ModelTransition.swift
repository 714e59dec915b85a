public import OpenObjectModel

/// A mapping of rows from one model to another, in which each source entity has at most one
/// destination entity.
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
  /// - Parameters:
  ///   - source: The model of the stored rows.
  ///   - destination: The model to which the rows are migrated.
  ///   - entities: The transition of each entity of the destination model, by position; nil for a
  ///     new entity. Each source entity occurs at most once.
  public init(
    from source: CompiledModel, to destination: CompiledModel, entities: [EntityTransition?]
  ) {
    self.source = source
    self.destination = destination
    self.entities = entities
  }

  /// For each source entity, the position of the destination entity; nil if the migration deletes
  /// the rows.
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
  /// For each destination property, the ordinal of the source property.
  ///
  /// Elements of composite attributes are included. The entry is nil for a property that is new,
  /// derived or transient; these properties receive their default value, if they have one. If the
  /// source attribute of a required attribute is optional, rows without a source value receive the
  /// default value. This rule also applies to composite attributes and to their elements: if no
  /// element of an optional composite attribute has a value, all elements receive their default
  /// values.
  public let properties: [Int?]
  /// The ordinals of the required destination properties that have no default value, and are new or
  /// were optional in the source.
  ///
  /// The migration fails if a row has no value for one of these properties.
  public let requiredProperties: [Int]

  /// Creates a transition from a source entity.
  ///
  /// - Parameters:
  ///   - sourceIndex: The position of the source entity in its model.
  ///   - properties: For each destination property, the ordinal of the source property; see
  ///     ``properties``.
  ///   - requiredProperties: The ordinals of the destination properties that require a value,
  ///     although some rows may have none.
  public init(sourceIndex: Int, properties: [Int?], requiredProperties: [Int] = []) {
    self.sourceIndex = sourceIndex
    self.properties = properties
    self.requiredProperties = requiredProperties
  }
}
