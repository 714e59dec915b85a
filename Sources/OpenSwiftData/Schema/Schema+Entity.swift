extension Schema {
  /// The description of a model type in a schema: the name, the properties and the inheritance.
  ///
  /// > Concurrency: Confined to one thread until the entity is part of a schema. Do not change the
  /// > entity afterward.
  /// > Reference: Apple, Schema.Entity.
  // Invariant of the unchecked conformance: an entity does not change after it becomes part of a
  // schema.
  public final class Entity: Codable, Hashable, @unchecked Sendable {
    /// The name of the model class, without the names of enclosing types.
    public var name: String
    /// The properties that the class itself declares. Inherited properties are not included.
    public var storedProperties: [any SchemaProperty]
    /// The entity of the superclass; `nil` if the superclass is not a model.
    public weak var superentity: Entity?
    /// The entities of the direct subclasses that are in the schema.
    public var subentities: Set<Entity> {
      didSet { for entity in subentities { entity.superentity = self } }
    }
    /// The uniqueness constraints. Each inner array contains the names of the properties whose
    /// combined values must be unique.
    ///
    /// In a schema of model types, the constraints include the properties with the option
    /// `.unique`.
    public var uniquenessConstraints: [[String]]
    /// The indexes. Each inner array contains the names of the properties that are indexed
    /// together.
    public var indices: [[String]]
    /// The positions of the R-tree indexes in ``indices``.
    var spatialIndices: Set<Int> = []
    private var readSuperentityName: String?

    /// Creates an entity without properties.
    ///
    /// - Parameter name: The name of the entity.
    public init(_ name: String) {
      self.name = name
      storedProperties = []
      subentities = []
      uniquenessConstraints = []
      indices = []
    }

    /// Creates an entity with properties.
    ///
    /// - Parameters:
    ///   - name: The name of the entity.
    ///   - properties: The properties of the entity, without inherited properties.
    public convenience init(_ name: String, properties: any SchemaProperty...) {
      self.init(name)
      storedProperties = properties
    }

    /// Creates an entity with subentities.
    ///
    /// - Parameters:
    ///   - name: The name of the entity.
    ///   - subentities: The entities of the subclasses.
    ///   - properties: The properties of the entity, without inherited properties.
    public convenience init(
      _ name: String, subentities: Entity..., properties: any SchemaProperty...
    ) {
      self.init(name)
      storedProperties = properties
      self.subentities = Set(subentities)
      for entity in subentities { entity.superentity = self }
    }

    /// The name of the superclass's entity; `nil` if the superclass is not a model.
    public var superentityName: String? { superentity?.name ?? readSuperentityName }

    /// All properties of the entity. Inherited properties come first.
    public var properties: [any SchemaProperty] { inheritedProperties + storedProperties }

    /// The properties that superclasses declare, starting with the root class; empty if the
    /// superclass is not a model.
    public var inheritedProperties: [any SchemaProperty] {
      var lists: [[any SchemaProperty]] = []
      var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
      var current = superentity
      while let entity = current, seen.insert(ObjectIdentifier(entity)).inserted {
        lists.append(entity.storedProperties)
        current = entity.superentity
      }
      return lists.reversed().flatMap { $0 }
    }

    /// The properties that the class itself declares, keyed by name.
    public var storedPropertiesByName: [String: any SchemaProperty] {
      Self.byName(storedProperties)
    }
    /// The properties that superclasses declare, keyed by name.
    public var inheritedPropertiesByName: [String: any SchemaProperty] {
      Self.byName(inheritedProperties)
    }
    /// All attributes, including inherited attributes.
    public var attributes: Set<Attribute> { Set(properties.compactMap { $0 as? Attribute }) }
    /// All attributes, including inherited attributes, keyed by name.
    public var attributesByName: [String: Attribute] {
      Self.byName(properties).compactMapValues { $0 as? Attribute }
    }
    /// All relationships, including inherited relationships.
    public var relationships: Set<Relationship> {
      Set(properties.compactMap { $0 as? Relationship })
    }
    /// All relationships, including inherited relationships, keyed by name.
    public var relationshipsByName: [String: Relationship] {
      Self.byName(properties).compactMapValues { $0 as? Relationship }
    }

    private static func byName(
      _ properties: [any SchemaProperty]
    ) -> [String: any SchemaProperty] {
      Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
    }

    // MARK: Codable

    private enum CodingKeys: String, CodingKey {
      case name, superentity, attributes, composites, relationships, order, unique, indices, rtree
    }

    /// Decodes an entity that ``encode(to:)`` encoded.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is damaged, or if the program does not contain the
    ///   type of a property.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      readSuperentityName = try container.decodeIfPresent(String.self, forKey: .superentity)
      uniquenessConstraints = try container.decode([[String]].self, forKey: .unique)
      indices = try container.decode([[String]].self, forKey: .indices)
      spatialIndices = Set(try container.decode([Int].self, forKey: .rtree))
      subentities = []
      var properties: [any SchemaProperty] = try container.decode(
        [Attribute].self, forKey: .attributes)
      properties += try container.decode([CompositeAttribute].self, forKey: .composites)
      properties += try container.decode([Relationship].self, forKey: .relationships)
      let byName = Self.byName(properties)
      storedProperties = try container.decode([String].self, forKey: .order).compactMap {
        byName[$0]
      }
    }

    /// Encodes the entity and the name of the superentity, but not the subentities.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Any error that the encoder throws; `EncodingError` if the type of a property has
    ///   no mangled name.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encodeIfPresent(superentityName, forKey: .superentity)
      try container.encode(uniquenessConstraints, forKey: .unique)
      try container.encode(indices, forKey: .indices)
      try container.encode(spatialIndices.sorted(), forKey: .rtree)
      let attributes = storedProperties.compactMap { $0 as? Attribute }
      let composites = attributes.compactMap { $0 as? CompositeAttribute }
      try container.encode(
        attributes.filter { !($0 is CompositeAttribute) }, forKey: .attributes)
      try container.encode(composites, forKey: .composites)
      try container.encode(
        storedProperties.compactMap { $0 as? Relationship }, forKey: .relationships)
      try container.encode(storedProperties.map(\.name), forKey: .order)
    }

    // MARK: Hashable

    /// Returns whether two entities have the same name, superentity name, stored properties,
    /// uniqueness constraints and indexes. The order of the constraints does not matter.
    public static func == (one: Entity, other: Entity) -> Bool {
      if one === other { return true }
      return one.name == other.name && one.superentityName == other.superentityName
        && Set(one.uniquenessConstraints) == Set(other.uniquenessConstraints)
        && one.indices == other.indices && one.spatialIndices == other.spatialIndices
        && one.storedProperties.map { AnyHashable($0) }
          == other.storedProperties.map { AnyHashable($0) }
    }

    /// Hashes the name of the entity and the names of the stored properties.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(storedProperties.map(\.name))
    }
  }
}
