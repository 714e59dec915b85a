public import Foundation

/// The model types of an application and their properties.
///
/// A schema contains the given types, the destinations of their relationships, and the superclasses
/// of all these types. A schema contains a subclass of a model only if the subclass is one of the
/// given types or the destination of a relationship.
///
/// The initializers of a schema do not throw. If a schema is invalid, for example because the type
/// of a property is not `Codable`, creating a managed object model throws a ``SchemaError``.
/// Creating a container throws `SwiftDataError.loadIssueModelContainer` with the `SchemaError` as
/// the underlying error.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, Schema.
// Invariant of the unchecked conformance: entities do not change after they become part of a
// schema.
public final class Schema: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
  /// The version of the file format that ``save(to:)`` writes.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The version of the file format from which the schema was decoded; ``schemaEncodingVersion`` if
  /// the schema was not decoded.
  public let encodingVersion: Version
  /// The version number of the schema.
  public let version: Version
  /// The entities of the schema.
  public let entities: [Entity]
  /// The entities of the schema, keyed by entity name.
  public let entitiesByName: [String: Entity]
  /// The model types, including related types; empty for a schema that was decoded or created from
  /// entities.
  package let types: [any PersistentModel.Type]
  /// The reasons why the schema is invalid, in the order of the types.
  let issues: [SchemaError]

  private init(
    _ entities: [Entity], _ types: [any PersistentModel.Type], _ version: Version,
    issues: [SchemaError], encodingVersion: Version = schemaEncodingVersion
  ) {
    self.encodingVersion = encodingVersion
    self.version = version
    self.entities = entities
    entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    self.types = types
    self.issues = issues
  }

  private convenience init(assembling types: [any PersistentModel.Type], _ version: Version) {
    let assembly = SchemaAssembly(types)
    self.init(assembly.entities, assembly.records.map(\.type), version, issues: assembly.issues)
  }

  /// Creates a schema without entities.
  public convenience init() { self.init([], [], Version(1, 0, 0), issues: []) }

  /// Creates a schema with entities.
  ///
  /// - Parameters:
  ///   - entities: The entities. The schema also contains the subentities of these entities.
  ///   - version: The version number of the schema.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    self.init(Self.withDescendants(entities), [], version, issues: [])
  }

  /// Creates a schema from an array of model types.
  ///
  /// - Parameters:
  ///   - types: The model types. The schema also contains the superclasses of these types and the
  ///     destinations of their relationships.
  ///   - version: The version number of the schema.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    self.init(assembling: types, version)
  }

  /// Creates a schema from model types.
  ///
  /// - Parameters:
  ///   - types: The model types. The schema also contains the superclasses of these types and the
  ///     destinations of their relationships.
  ///   - version: The version number of the schema.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(assembling: types, version)
  }

  /// Creates a schema from the model types and the version number of a versioned schema.
  ///
  /// The schema also contains the superclasses of these types and the destinations of their
  /// relationships.
  ///
  /// - Parameter versionedSchema: The type that declares the model types and the version number.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(assembling: versionedSchema.models, versionedSchema.versionIdentifier)
  }

  /// Returns a schema with some of the model types, and with the types of their relationships.
  func part(_ isKept: (_ entityName: String) -> Bool) -> Schema {
    Schema(types.filter { isKept(ModelRecord.of($0).entityName) }, version: version)
  }

  private static func withDescendants(_ entities: [Entity]) -> [Entity] {
    var all: [Entity] = []
    var open = entities
    var seen: Set<ObjectIdentifier> = []
    while !open.isEmpty {
      let entity = open.removeFirst()
      guard seen.insert(ObjectIdentifier(entity)).inserted else { continue }
      all.append(entity)
      open += entity.subentities.sorted { $0.name < $1.name }
    }
    return all
  }

  // MARK: Look-up

  /// Returns the entity of a model type.
  ///
  /// - Parameter type: The model type.
  /// - Returns: The entity; `nil` if the schema does not contain the type.
  public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
    entity(forType: type)
  }

  /// Returns the entity of a model type; `nil` if the schema does not contain the type.
  ///
  /// - Parameter type: The model type.
  package func entity(forType type: any PersistentModel.Type) -> Entity? {
    let entity = entitiesByName[ModelRecord.of(type).entityName]
    return types.isEmpty || types.contains { $0 == type } ? entity : nil
  }

  /// Returns the name of a model type's entity, which is the name of the class without the names of
  /// enclosing types.
  ///
  /// - Parameter type: The model type.
  public static func entityName<T: PersistentModel>(for type: T.Type) -> String {
    ModelRecord.of(type).entityName
  }

  /// Returns the properties in the metadata of a model type, including those of superclasses.
  static func ownProperties<T: PersistentModel>(of type: T.Type) -> [PropertyMetadata] {
    ModelRecord.of(type).metadata
  }

  /// Returns the name of a model type's entity.
  ///
  /// - Parameter type: The model type.
  package static func entityName(forType type: any PersistentModel.Type) -> String {
    ModelRecord.of(type).entityName
  }

  // MARK: Codable

  private enum CodingKeys: String, CodingKey { case encodingVersion, version, entities }

  /// Decodes a schema that ``encode(to:)`` encoded.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` if the data is damaged, if the program does not contain the type of
  ///   a property, or if the major version of the encoding is unknown.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let encodingVersion = try container.decode(Version.self, forKey: .encodingVersion)
    guard encodingVersion.major == Self.schemaEncodingVersion.major else {
      throw DecodingError.dataCorruptedError(
        forKey: .encodingVersion, in: container,
        debugDescription:
          "The schema was encoded in version \(encodingVersion), which this library does not support."
      )
    }
    let entities = try container.decode([Entity].self, forKey: .entities)
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for entity in entities {
      entity.superentityName.flatMap { byName[$0] }.map { _ = $0.subentities.insert(entity) }
    }
    self.init(
      entities, [], try container.decode(Version.self, forKey: .version), issues: [],
      encodingVersion: encodingVersion)
  }

  /// Encodes the schema.
  ///
  /// The method encodes types as mangled names, so that a program with the same types can decode
  /// the schema. The method does not encode key paths.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Any error that the encoder throws; `EncodingError` if a type has no mangled name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.schemaEncodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    try container.encode(entities, forKey: .entities)
  }

  /// Writes the schema to a file.
  ///
  /// - Parameter url: The location of the file. The method replaces an existing file.
  /// - Throws: The same errors as ``encode(to:)``; `CocoaError` if the file cannot be written.
  public func save(to url: URL) throws {
    try JSONForm.data(of: self).write(to: url, options: .atomic)
  }

  /// Reads a schema that ``save(to:)`` wrote.
  ///
  /// - Parameter url: The location of the file.
  /// - Returns: The schema.
  /// - Throws: The same errors as ``init(from:)``; `CocoaError` if the file cannot be read.
  public static func load(from url: URL) throws -> Schema {
    try JSONForm.value(Schema.self, in: Data(contentsOf: url))
  }

  // MARK: Hashable

  /// Returns whether two schemas have equal versions and equal entities. The order of the entities
  /// does not matter.
  public static func == (one: Schema, other: Schema) -> Bool {
    one === other
      || one.version == other.version && one.entitiesByName == other.entitiesByName
        && one.entities.count == other.entities.count
  }

  /// Hashes the version and the names of the entities.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(Set(entitiesByName.keys))
  }

  /// The version and the names of the entities.
  public var debugDescription: String {
    "Schema(version: \(version), entities: \(entities.map(\.name).sorted()))"
  }
}
