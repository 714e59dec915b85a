internal import OpenObjectModel
internal import OpenPredicates

extension Schema {
  /// A property that refers to other models.
  ///
  /// > Concurrency: Confined to one thread until it is part of a schema; not changed from then on.
  /// > Reference: Apple, Schema.Relationship.
  public final class Relationship: SchemaProperty {
    /// The effect of deleting a model on the destinations.
    ///
    /// > Reference: Apple, Schema.Relationship.DeleteRule.
    public enum DeleteRule: String, Codable, Sendable {
      /// Nothing: the references of the destinations stay as they are.
      case noAction
      /// The destinations no longer refer to the model.
      case nullify
      /// The destinations are deleted too.
      case cascade
      /// The model is not deleted as long as there are destinations.
      case deny
    }

    /// An option of a relationship.
    ///
    /// > Reference: Apple, Schema.Relationship.Option.
    public struct Option: Codable, Hashable, Sendable {
      private let name: String

      /// No two models have the same destination.
      public static let unique = Option(name: "unique")
    }

    public var name = ""
    public var originalName: String
    public var valueType: any Any.Type = Any.self
    /// The key path of the property; nil in a schema that was read from a file.
    public var keypath: AnyKeyPath?
    /// The name of the destination entity.
    public var destination = ""
    /// The name of the inverse relationship.
    public var inverseName: String?
    /// The key path of the inverse relationship.
    public var inverseKeyPath: AnyKeyPath?
    /// The effect of deleting a model on the destinations.
    public var deleteRule: DeleteRule
    /// The minimum number of destinations of a model that has any.
    public var minimumModelCount: Int?
    /// The maximum number of destinations; 0 or nil for no limit.
    public var maximumModelCount: Int?
    /// The options of the relationship.
    public var options: [Option]
    /// A modifier that changes the version hash.
    public var hashModifier: String?

    /// Creates a description like `@Relationship`; the schema adds name, type and destination.
    ///
    /// - Parameters:
    ///   - options: The options of the relationship.
    ///   - deleteRule: The effect of deleting a model on the destinations.
    ///   - minimumModelCount: The minimum number of destinations of a model that has any.
    ///   - maximumModelCount: The maximum number of destinations; 0 or nil for no limit.
    ///   - originalName: The name of the property in the previous version.
    ///   - inverse: The relationship that leads back.
    ///   - hashModifier: A modifier that changes the version hash.
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      self.options = options
      self.deleteRule = deleteRule
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.originalName = originalName ?? ""
      inverseKeyPath = inverse
      self.hashModifier = hashModifier
    }

    /// Whether there is at most one destination.
    public var isToOneRelationship: Bool {
      let content = (valueType as? any OptionalWrapping.Type)?.wrappedType ?? valueType
      return !(content is any ArrayShape.Type)
    }

    public var isAttribute: Bool { false }
    public var isRelationship: Bool { true }
    public var isTransient: Bool { false }
    public var isUnique: Bool { options.contains(.unique) }

    // MARK: Codable

    private enum CodingKeys: String, CodingKey {
      case name, originalName, valueType, destination, inverseName, deleteRule, minimumModelCount
      case maximumModelCount, options, hashModifier
    }

    /// Reads a relationship that ``encode(to:)`` wrote; it has no key paths.
    ///
    /// - Throws: `DecodingError` for damaged data and for a type that the program does not have.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      valueType = try container.decode(EncodedType.self, forKey: .valueType).type
      destination = try container.decode(String.self, forKey: .destination)
      inverseName = try container.decodeIfPresent(String.self, forKey: .inverseName)
      deleteRule = try container.decode(DeleteRule.self, forKey: .deleteRule)
      minimumModelCount = try container.decodeIfPresent(Int.self, forKey: .minimumModelCount)
      maximumModelCount = try container.decodeIfPresent(Int.self, forKey: .maximumModelCount)
      options = try container.decode([Option].self, forKey: .options)
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
    }

    /// Writes the relationship without its key paths.
    ///
    /// - Throws: An error of the encoder.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(originalName, forKey: .originalName)
      try container.encode(EncodedType(type: valueType), forKey: .valueType)
      try container.encode(destination, forKey: .destination)
      try container.encodeIfPresent(inverseName, forKey: .inverseName)
      try container.encode(deleteRule, forKey: .deleteRule)
      try container.encodeIfPresent(minimumModelCount, forKey: .minimumModelCount)
      try container.encodeIfPresent(maximumModelCount, forKey: .maximumModelCount)
      try container.encode(options, forKey: .options)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
    }

    // MARK: Hashable

    /// Whether two relationships describe the same property.
    ///
    /// - Returns: `true` if two relationships describe the same property.
    public static func == (one: Relationship, other: Relationship) -> Bool {
      one.name == other.name && one.originalName == other.originalName
        && one.valueType == other.valueType && one.destination == other.destination
        && one.inverseName == other.inverseName && one.deleteRule == other.deleteRule
        && one.minimumModelCount == other.minimumModelCount
        && one.maximumModelCount == other.maximumModelCount && one.options == other.options
        && one.hashModifier == other.hashModifier
    }

    /// Hashes the name, the destination and the inverse.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(destination)
      hasher.combine(inverseName)
    }
  }
}

extension Schema.Relationship.DeleteRule {
  /// The rule as a managed object model has it.
  var modelRule: NSDeleteRule {
    switch self {
    case .noAction: .noActionDeleteRule
    case .nullify: .nullifyDeleteRule
    case .cascade: .cascadeDeleteRule
    case .deny: .denyDeleteRule
    }
  }
}
