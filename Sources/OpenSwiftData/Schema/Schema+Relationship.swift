internal import OpenObjectModel
internal import OpenPredicates

extension Schema {
  /// A property that refers to other models.
  ///
  /// > Concurrency: Confined to one thread until the relationship is part of a schema. Do not
  /// > change the relationship afterward.
  /// > Reference: Apple, Schema.Relationship.
  // Invariant of the unchecked conformance: a relationship does not change after it becomes part of
  // a schema.
  public final class Relationship: SchemaProperty, @unchecked Sendable {
    /// The effect that deleting a model has on the destinations of a relationship.
    ///
    /// > Reference: Apple, Schema.Relationship.DeleteRule.
    public enum DeleteRule: String, Codable, Sendable {
      /// Does not change the destinations, which still refer to the deleted model.
      case noAction
      /// Removes the deleted model from the inverse relationships of the destinations.
      case nullify
      /// Also deletes the destinations.
      case cascade
      /// Makes a save throw `CocoaError` 1600 if a deleted model has destinations that are not also
      /// deleted. If the save finds several validation errors, the code is 1560.
      case deny
    }

    /// An option of a relationship.
    ///
    /// > Reference: Apple, Schema.Relationship.Option.
    public struct Option: Codable, Hashable, Sendable {
      private let name: String

      /// Requires that no two models have the same destination. Only to-one relationships support
      /// this option.
      public static let unique = Option(name: "unique")
    }

    public var name = ""
    public var originalName: String
    public var valueType: any Any.Type = Any.self
    /// The key path of the property; `nil` if the schema was decoded.
    public var keypath: AnyKeyPath?
    /// The name of the destination entity; empty for a relationship that a program created from the
    /// arguments of `@Relationship`.
    public var destination = ""
    /// The name of the inverse relationship; `nil` if the relationship has no inverse.
    public var inverseName: String?
    /// The key path of the inverse relationship; `nil` if the relationship has no inverse or the
    /// schema was decoded.
    public var inverseKeyPath: AnyKeyPath?
    /// The effect that deleting a model has on the destinations.
    public var deleteRule: DeleteRule
    /// The minimum number of destinations of a to-many relationship; 0 or `nil` for no minimum.
    /// Regardless of the minimum, an optional relationship may be empty.
    public var minimumModelCount: Int?
    /// The maximum number of destinations of a to-many relationship; 0 or `nil` for no maximum.
    public var maximumModelCount: Int?
    /// The options of the relationship.
    public var options: [Option]
    /// A string that contributes to the version hash of the property; `nil` for no string. If the
    /// string changes, stores migrate even if the declaration is otherwise unchanged.
    public var hashModifier: String?

    /// Creates a relationship from the arguments of the `@Relationship` macro.
    ///
    /// The relationship has an empty name, the type `Any` and no destination. A schema combines the
    /// relationship with the name and the type of a property to create the complete relationship.
    ///
    /// - Parameters:
    ///   - options: The options of the relationship.
    ///   - deleteRule: The effect that deleting a model has on the destinations.
    ///   - minimumModelCount: The minimum number of destinations of a to-many relationship; 0 or
    ///     `nil` for no minimum. Regardless of the minimum, an optional relationship may be empty.
    ///   - maximumModelCount: The maximum number of destinations of a to-many relationship; 0 or
    ///     `nil` for no maximum. Creating a container throws
    ///     `SwiftDataError.loadIssueModelContainer` if a count is negative, if the maximum is 1, or
    ///     if the maximum is less than the minimum.
    ///   - originalName: The name of the property in the previous version of the schema; `nil` if
    ///     the property was not renamed.
    ///   - inverse: The key path of the inverse relationship. If the value is `nil`, the schema
    ///     determines the inverse from the type of the destination.
    ///   - hashModifier: A string that contributes to the version hash of the property; `nil` for
    ///     no string.
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

    /// Whether the relationship is to-one. If the value is `false`, the relationship is to-many.
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

    /// Decodes a relationship that ``encode(to:)`` encoded. The relationship has no key paths.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is damaged, or if the program does not contain the
    ///   type of the relationship.
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

    /// Encodes the relationship without its key paths.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Any error that the encoder throws; `EncodingError` if the type of the relationship
    ///   has no mangled name.
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

    /// Returns whether two relationships are equal, without comparing their key paths.
    public static func == (one: Relationship, other: Relationship) -> Bool {
      one.name == other.name && one.originalName == other.originalName
        && one.valueType == other.valueType && one.destination == other.destination
        && one.inverseName == other.inverseName && one.deleteRule == other.deleteRule
        && one.minimumModelCount == other.minimumModelCount
        && one.maximumModelCount == other.maximumModelCount && one.options == other.options
        && one.hashModifier == other.hashModifier
    }

    /// Hashes the name, the name of the destination entity and the name of the inverse
    /// relationship.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(destination)
      hasher.combine(inverseName)
    }
  }
}

extension Schema.Relationship.DeleteRule {
  /// The delete rule of a managed object model.
  var modelRule: NSDeleteRule {
    switch self {
    case .noAction: .noActionDeleteRule
    case .nullify: .nullifyDeleteRule
    case .cascade: .cascadeDeleteRule
    case .deny: .denyDeleteRule
    }
  }
}
