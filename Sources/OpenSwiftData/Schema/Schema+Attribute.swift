extension Schema {
  /// A property whose value is stored with the model.
  ///
  /// > Concurrency: Confined to one thread until the attribute is part of a schema. Do not change
  /// > the attribute afterward.
  /// > Reference: Apple, Schema.Attribute.
  // Invariant of the unchecked conformance: an attribute does not change after it becomes part of a
  // schema.
  public class Attribute: SchemaProperty, @unchecked Sendable {
    public final var name: String
    public final var originalName: String
    public final var valueType: any Any.Type
    /// The options of the attribute.
    public final var options: [Option]
    /// The default value of the property in new models; `nil` for no default value.
    public final var defaultValue: Any?
    /// A string that contributes to the version hash of the property; `nil` for no string. If the
    /// string changes, stores migrate even if the declaration is otherwise unchanged.
    public final var hashModifier: String?

    /// Creates an attribute from the arguments of the `@Attribute` macro.
    ///
    /// The attribute has an empty name and the type `Any`. A schema combines the attribute with the
    /// name and the type of a property to create the complete attribute.
    ///
    /// - Parameters:
    ///   - options: The options of the attribute; none for a plain attribute.
    ///   - originalName: The name of the property in the previous version of the schema; `nil` if
    ///     the property was not renamed.
    ///   - hashModifier: A string that contributes to the version hash of the property; `nil` for
    ///     no string.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      valueType = Any.self
      self.hashModifier = hashModifier
    }

    /// Creates an attribute with a name and a type.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - originalName: The name of the property in the previous version of the schema; `nil` if
    ///     the property was not renamed.
    ///   - options: The options of the attribute; empty for no options.
    ///   - valueType: The type of the property, including `Optional`.
    ///   - defaultValue: The default value of the property in new models; `nil` for no default
    ///     value.
    ///   - hashModifier: A string that contributes to the version hash of the property; `nil` for
    ///     no string.
    public required init(
      name: String, originalName: String? = nil, options: [Option] = [],
      valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      self.name = name
      self.originalName = originalName ?? name
      self.options = options
      self.valueType = valueType
      self.defaultValue = defaultValue
      self.hashModifier = hashModifier
    }

    public final var isAttribute: Bool { true }
    public final var isRelationship: Bool { false }
    public final var isTransient: Bool { options.contains(.ephemeral) }
    public final var isUnique: Bool { options.contains(.unique) }
    /// Whether a value transformer converts the values for the store.
    public final var isTransformable: Bool { transformerName != nil }
    /// Whether the attribute has the option `.codable`, which stores each encoded value in one
    /// column.
    public final var isCodable: Bool { options.contains(.codable) }

    /// The name of the transformer that converts the values; `nil` if there is none.
    final var transformerName: String? {
      for option in options {
        if case .transformable(let name) = option.kind { return name }
      }
      return nil
    }

    // MARK: Codable

    private enum CodingKeys: String, CodingKey {
      case name, originalName, options, valueType, defaultValue, hashModifier
    }

    /// Decodes an attribute that ``encode(to:)`` encoded.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is damaged, or if the program does not contain the
    ///   type of the attribute.
    public required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      originalName = try container.decode(String.self, forKey: .originalName)
      options = try container.decode([Option].self, forKey: .options)
      valueType = try container.decode(EncodedType.self, forKey: .valueType).type
      hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
      if container.contains(.defaultValue), let type = valueType as? any Decodable.Type {
        defaultValue = try container.decode(type, forKey: .defaultValue)
      }
    }

    /// Encodes the attribute. The method encodes the default value only if its type is `Codable`.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Any error that the encoder throws; `EncodingError` if the type of the attribute
    ///   has no mangled name.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(originalName, forKey: .originalName)
      try container.encode(options, forKey: .options)
      try container.encode(EncodedType(type: valueType), forKey: .valueType)
      try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
      if valueType is any Decodable.Type, let value = defaultValue as? any Encodable {
        try container.encode(value, forKey: .defaultValue)
      }
    }

    // MARK: Hashable

    /// Returns whether two attributes are equal, without comparing their default values.
    public static func == (one: Attribute, other: Attribute) -> Bool { one.isEqual(other) }

    func isEqual(_ other: Attribute) -> Bool {
      name == other.name && originalName == other.originalName && options == other.options
        && valueType == other.valueType && hashModifier == other.hashModifier
        && type(of: self) == type(of: other)
    }

    /// Hashes the name, the original name and the options of the attribute.
    public final func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(originalName)
      hasher.combine(options)
    }
  }

  /// An attribute whose value is divided into elements, such as the stored properties of a
  /// structure.
  ///
  /// Each element has its own column, or is itself a composite attribute.
  ///
  /// > Reference: Apple, Schema.CompositeAttribute.
  // Invariant of the unchecked conformance: as for attributes.
  public final class CompositeAttribute: Attribute, @unchecked Sendable {
    /// The elements of the attribute, in the order of their declarations.
    public var properties: [Attribute] = []

    private enum CodingKeys: String, CodingKey { case properties }

    /// An element, which is a composite attribute if it has elements.
    private struct Element: Decodable {
      let attribute: Attribute

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CompositeAttribute.CodingKeys.self)
        attribute =
          try container.contains(.properties)
          ? CompositeAttribute(from: decoder) : Attribute(from: decoder)
      }
    }

    /// Creates a composite attribute without elements. To add elements, set ``properties``.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - originalName: The name of the property in the previous version of the schema; `nil` if
    ///     the property was not renamed.
    ///   - options: The options of the attribute; empty for no options.
    ///   - valueType: The type of the property, including `Optional`.
    ///   - defaultValue: The default value of the property in new models; `nil` for no default
    ///     value.
    ///   - hashModifier: A string that contributes to the version hash of the property; `nil` for
    ///     no string.
    public required init(
      name: String, originalName: String? = nil, options: [Option] = [],
      valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      super.init(
        name: name, originalName: originalName, options: options, valueType: valueType,
        defaultValue: defaultValue, hashModifier: hashModifier)
    }

    /// Decodes an attribute that ``encode(to:)`` encoded.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is damaged, or if the program does not contain the
    ///   type of the attribute.
    public required init(from decoder: any Decoder) throws {
      try super.init(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      properties = try container.decode([Element].self, forKey: .properties).map(\.attribute)
    }

    /// Encodes the attribute and the elements of the attribute.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Any error that the encoder throws; `EncodingError` if the type of the attribute
    ///   has no mangled name.
    public override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(properties, forKey: .properties)
    }

    override func isEqual(_ other: Attribute) -> Bool {
      super.isEqual(other) && properties == (other as? CompositeAttribute)?.properties
    }
  }
}

/// A type that is encoded as a mangled name. The name changes if the type is renamed or moved.
struct EncodedType: Codable {
  let type: any Any.Type

  init(type: any Any.Type) { self.type = type }

  init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let type = _typeByName(name) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "The program has no type with the mangled name \(name)."))
    }
    self.type = type
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let name = _mangledTypeName(type) else {
      throw EncodingError.invalidValue(
        type,
        .init(
          codingPath: encoder.codingPath,
          debugDescription: "The type \(type) has no mangled name."))
    }
    try container.encode(name)
  }
}
