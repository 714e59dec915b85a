extension Schema {
  /// The uniqueness constraints that `#Unique` declares for a model type.
  ///
  /// > Reference: Apple, Schema.Unique.
  public final class Unique<T: PersistentModel>: SchemaProperty, CustomDebugStringConvertible {
    /// The constraints. Each inner array contains the properties whose combination of values is
    /// unique.
    public let constraints: [[PartialKeyPath<T>]]
    public var name = "SwiftData.Schema.Unique"
    public var originalName = ""
    public var valueType: any Any.Type = Any.self

    /// Creates uniqueness constraints.
    ///
    /// - Parameter constraints: For each constraint, the properties whose combination of values is
    ///   unique. If a constraint has no properties, creating a container with the schema throws
    ///   `SwiftDataError.loadIssueModelContainer`.
    public init(_ constraints: [PartialKeyPath<T>]...) { self.constraints = constraints }

    public var isAttribute: Bool { false }
    public var isRelationship: Bool { false }
    public var isTransient: Bool { false }
    public var isUnique: Bool { true }
    public var debugDescription: String { "Unique(\(keyPathGroups.propertyNames))" }

    /// The coding keys of the object.
    public enum CodingKeys: CodingKey {
      /// The names of the properties in each constraint.
      case constraints
    }

    /// Decodes constraints that ``encode(to:)`` encoded.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is damaged or if the data names a property that the
    ///   model does not have.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      constraints = try container.decode([[String]].self, forKey: .constraints).map {
        try KeyPathGroup.keyPaths(named: $0, of: T.self, in: container, .constraints)
      }
    }

    /// Encodes the names of the properties in each constraint.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(keyPathGroups.propertyNames, forKey: .constraints)
    }

    /// Returns whether two objects have the same constraints in the same order.
    public static func == (one: Unique, other: Unique) -> Bool {
      one.constraints == other.constraints
    }

    /// Hashes the constraints.
    public func hash(into hasher: inout Hasher) { hasher.combine(constraints) }
  }

  /// The indexes that `#Index` declares for a model type.
  ///
  /// > Reference: Apple, Schema.Index.
  public final class Index<T: PersistentModel>: SchemaProperty, CustomDebugStringConvertible {
    /// The type of an index and the properties that are indexed together.
    public enum Types<P: PersistentModel> {
      /// A binary index, for comparisons and sorting.
      case binary([PartialKeyPath<P>])
      /// An R-tree index, for queries over ranges of numbers.
      case rtree([PartialKeyPath<P>])
    }

    /// The indexes, each with its type and the key paths of its properties.
    public let indices: [Types<T>]
    public var name = "SwiftData.Schema.Index"
    public var originalName = ""
    public var valueType: any Any.Type = Any.self

    /// Creates binary indexes.
    ///
    /// - Parameter indices: For each index, the properties that are indexed together. If an index
    ///   has no properties, creating a container with the schema throws
    ///   `SwiftDataError.loadIssueModelContainer`.
    public init(_ indices: [PartialKeyPath<T>]...) { self.indices = indices.map { .binary($0) } }

    /// Creates binary and R-tree indexes.
    ///
    /// - Parameter indices: The types of the indexes, each with the properties that are indexed
    ///   together. If an index has no properties, creating a container with the schema throws
    ///   `SwiftDataError.loadIssueModelContainer`.
    public init(_ indices: Types<T>...) { self.indices = indices }

    public var isAttribute: Bool { false }
    public var isRelationship: Bool { false }
    public var isTransient: Bool { false }
    public var isUnique: Bool { false }
    public var debugDescription: String { "Index(\(keyPathGroups.propertyNames))" }

    /// The coding keys of the object.
    public enum CodingKeys: CodingKey {
      /// The names of the properties in each index.
      case indices
      /// The positions of the R-tree indexes in the array of indexes.
      case rtree
    }

    /// Decodes indexes that ``encode(to:)`` encoded.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` if the data is damaged or if the data names a property that the
    ///   model does not have.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let spatial = Set(try container.decode([Int].self, forKey: .rtree))
      let names = try container.decode([[String]].self, forKey: .indices)
      indices = try names.enumerated().map { number, names in
        let group = try KeyPathGroup.keyPaths(named: names, of: T.self, in: container, .indices)
        return spatial.contains(number) ? .rtree(group) : .binary(group)
      }
    }

    /// Encodes the names of the properties in each index, and the positions of the R-tree indexes.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      let groups = keyPathGroups
      try container.encode(groups.propertyNames, forKey: .indices)
      let spatial = groups.indices.filter { groups[$0].kind == .rtreeIndex }
      try container.encode(Array(spatial), forKey: .rtree)
    }

    /// Returns whether two objects have the same indexes in the same order.
    public static func == (one: Index, other: Index) -> Bool {
      one.keyPathGroups == other.keyPathGroups
    }

    /// Hashes the indexes.
    public func hash(into hasher: inout Hasher) { hasher.combine(keyPathGroups) }
  }
}

/// A group of properties in `#Unique` or `#Index`.
struct KeyPathGroup: Hashable {
  enum Kind { case unique, binaryIndex, rtreeIndex }

  let kind: Kind
  let keyPaths: [AnyKeyPath]

  /// Returns the key paths of properties with the given names.
  ///
  /// - Throws: `DecodingError` if the model lacks a property.
  static func keyPaths<Model: PersistentModel, Key: CodingKey>(
    named names: [String], of type: Model.Type, in container: KeyedDecodingContainer<Key>,
    _ key: Key
  ) throws -> [PartialKeyPath<Model>] {
    let record = ModelRecord.of(type)
    return try names.map { name in
      let property = record.metadata.first { $0.name == name }
      guard let keyPath = property?.keypath as? PartialKeyPath<Model> else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "The model \(record.entityName) has no property \(name).")
      }
      return keyPath
    }
  }
}

/// Metadata of a model type that `#Unique` and `#Index` add.
protocol KeyPathGrouping {
  var modelType: any PersistentModel.Type { get }
  var keyPathGroups: [KeyPathGroup] { get }
}

extension Schema.Unique: KeyPathGrouping {
  var modelType: any PersistentModel.Type { T.self }
  var keyPathGroups: [KeyPathGroup] {
    constraints.map { KeyPathGroup(kind: .unique, keyPaths: $0) }
  }
}

extension Schema.Index: KeyPathGrouping {
  var modelType: any PersistentModel.Type { T.self }
  var keyPathGroups: [KeyPathGroup] {
    indices.map { index in
      switch index {
      case .binary(let keyPaths): KeyPathGroup(kind: .binaryIndex, keyPaths: keyPaths)
      case .rtree(let keyPaths): KeyPathGroup(kind: .rtreeIndex, keyPaths: keyPaths)
      }
    }
  }
}

extension [KeyPathGroup] {
  /// The names of the properties in each group. A key path that leads to no property appears as its
  /// description.
  var propertyNames: [[String]] {
    map { group in
      group.keyPaths.map { keyPath in
        let type = type(of: keyPath).rootType as? any PersistentModel.Type
        return type.flatMap { ModelRecord.of($0).name(of: keyPath) } ?? "\(keyPath)"
      }
    }
  }
}
