extension Schema {
  /// A property with a value.
  ///
  /// > Concurrency: Confined to one thread until it is part of a schema; not changed from then on.
  /// > Reference: Apple, Schema.Attribute.
  public class Attribute: SchemaProperty {
    public final var name: String
    public final var originalName: String
    public final var valueType: any Any.Type
    /// The options of the attribute.
    public final var options: [Option]
    /// The value of new models.
    public final var defaultValue: Any?
    /// A modifier that changes the version hash, so that stores migrate after a change of the
    /// values alone.
    public final var hashModifier: String?

    /// Creates a description like `@Attribute`; the schema adds name and type.
    ///
    /// - Parameters:
    ///   - options: The options of the attribute.
    ///   - originalName: The name of the property in the previous version.
    ///   - hashModifier: A modifier that changes the version hash.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      name = ""
      self.originalName = originalName ?? ""
      self.options = options
      valueType = Any.self
      self.hashModifier = hashModifier
    }

    /// Creates an attribute.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - originalName: The name of the property in the previous version.
    ///   - options: The options of the attribute.
    ///   - valueType: The type of the values, `Optional` included.
    ///   - defaultValue: The value of new models.
    ///   - hashModifier: A modifier that changes the version hash.
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
    /// Whether a value transformer creates the stored data.
    public final var isTransformable: Bool { transformerName != nil }
    /// Whether the value is encoded and stored in one column.
    public final var isCodable: Bool { options.contains(.codable) }

    /// The name of the transformer that makes the stored data.
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

    /// Reads an attribute that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` for damaged data and for a type that the program does not have.
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

    /// Writes the attribute; a default value only where its type is `Codable`.
    ///
    /// - Throws: An error of the encoder.
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

    /// Whether two attributes describe the same property; default values are ignored.
    ///
    /// - Returns: `true` if two attributes describe the same property.
    public static func == (one: Attribute, other: Attribute) -> Bool { one.isEqual(other) }

    func isEqual(_ other: Attribute) -> Bool {
      name == other.name && originalName == other.originalName && options == other.options
        && valueType == other.valueType && hashModifier == other.hashModifier
        && type(of: self) == type(of: other)
    }

    /// Hashes the name and the options.
    public final func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(originalName)
      hasher.combine(options)
    }
  }

  /// An attribute whose value has parts, each with its own column.
  ///
  /// > Reference: Apple, Schema.CompositeAttribute.
  public final class CompositeAttribute: Attribute {
    /// The parts, in the order of their declarations.
    public var properties: [Attribute] = []

    private enum CodingKeys: String, CodingKey { case properties }

    /// Creates an attribute with the parts of the type's stored form.
    public required init(
      name: String, originalName: String? = nil, options: [Option] = [],
      valueType: any Any.Type, defaultValue: Any? = nil, hashModifier: String? = nil
    ) {
      super.init(
        name: name, originalName: originalName, options: options, valueType: valueType,
        defaultValue: defaultValue, hashModifier: hashModifier)
    }

    /// Reads an attribute that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` for damaged data and for a type that the program does not have.
    public required init(from decoder: any Decoder) throws {
      try super.init(from: decoder)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      properties = try container.decode([Attribute].self, forKey: .properties)
    }

    /// Writes the attribute and its parts.
    ///
    /// - Throws: An error of the encoder.
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

/// A type in encoded data: by its mangled name, which lasts as long as the type is where it is.
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
