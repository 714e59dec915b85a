public import Foundation

/// The model types of an application and their properties.
///
/// A schema contains the given types, the destinations of their relationships, and their
/// superclasses. Subclasses are included only if they are listed.
///
/// Creating a schema never fails. If something cannot be stored, for example a property whose type
/// is not `Codable`, creating a container or a managed object model from the schema throws a
/// ``SchemaError``.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, Schema.
// Invariant of the unchecked conformance: entities are not changed once they are part of a schema.
public final class Schema: Codable, Hashable, CustomDebugStringConvertible, @unchecked Sendable {
  /// The version of the form in which ``save(to:)`` writes schemas.
  public static let schemaEncodingVersion = Version(1, 0, 0)

  /// The version of the form in which the schema was written.
  public let encodingVersion: Version
  /// The version of the schema.
  public let version: Version
  /// The entities.
  public let entities: [Entity]
  /// The entities by name.
  public let entitiesByName: [String: Entity]
  /// The model types, those that were added included; empty for a schema of entities.
  package let types: [any PersistentModel.Type]
  /// What keeps the schema from having a model, in the order of the types.
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
  ///   - entities: The entities; their subentities are added.
  ///   - version: The version.
  public convenience init(_ entities: Entity..., version: Version = Version(1, 0, 0)) {
    self.init(Self.withDescendants(entities), [], version, issues: [])
  }

  /// Creates a schema from model types.
  ///
  /// - Parameters:
  ///   - types: The types.
  ///   - version: The version.
  public convenience init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    self.init(assembling: types, version)
  }

  /// Creates a schema from model types.
  ///
  /// - Parameters:
  ///   - types: The types.
  ///   - version: The version.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(assembling: types, version)
  }

  /// Creates the schema of one version of an application.
  ///
  /// - Parameter versionedSchema: The version.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(assembling: versionedSchema.models, versionedSchema.versionIdentifier)
  }

  /// The schema of some of the model types, and of those that their relationships lead to.
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

  /// The entity of a model type.
  ///
  /// - Parameter type: The type.
  /// - Returns: nil for a type that the schema does not have.
  public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
    entity(forType: type)
  }

  package func entity(forType type: any PersistentModel.Type) -> Entity? {
    let entity = entitiesByName[ModelRecord.of(type).entityName]
    return types.isEmpty || types.contains { $0 == type } ? entity : nil
  }

  /// The name of the entity of a model type, which is the name of the class without enclosing
  /// types.
  ///
  /// - Parameter type: The type.
  /// - Returns: The name of the entity of a model type.
  public static func entityName<T: PersistentModel>(for type: T.Type) -> String {
    ModelRecord.of(type).entityName
  }

  /// What a model type says of its properties, those of superclasses included.
  static func ownProperties<T: PersistentModel>(of type: T.Type) -> [PropertyMetadata] {
    ModelRecord.of(type).metadata
  }

  package static func entityName(forType type: any PersistentModel.Type) -> String {
    ModelRecord.of(type).entityName
  }

  // MARK: Codable

  private enum CodingKeys: String, CodingKey { case encodingVersion, version, entities }

  /// Reads a schema that ``encode(to:)`` wrote.
  ///
  /// - Throws: `DecodingError` for damaged data and for types that the program does not have.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let encodingVersion = try container.decode(Version.self, forKey: .encodingVersion)
    guard encodingVersion.major == Self.schemaEncodingVersion.major else {
      throw DecodingError.dataCorruptedError(
        forKey: .encodingVersion, in: container,
        debugDescription: "The schema was written in the form \(encodingVersion), which is unknown."
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

  /// Writes the schema.
  ///
  /// Types are written by name: the schema can be read by a program that has them. Key paths are
  /// not written.
  ///
  /// - Throws: An error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.schemaEncodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    try container.encode(entities, forKey: .entities)
  }

  /// Writes the schema to a file.
  ///
  /// - Parameter url: The file; an existing file is replaced.
  /// - Throws: `EncodingError` for default values that cannot be encoded, `CocoaError` when the
  ///   file cannot be written.
  public func save(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    try encoder.encode(self).write(to: url, options: .atomic)
  }

  /// Reads a schema that ``save(to:)`` wrote.
  ///
  /// - Parameter url: The file.
  /// - Returns: The schema.
  /// - Throws: `DecodingError` for a damaged file and for types that the program does not have,
  ///   `CocoaError` when the file cannot be read.
  public static func load(from url: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: url))
  }

  // MARK: Hashable

  /// Whether two schemas have the same version and the same entities, in any order.
  ///
  /// - Returns: `true` if two schemas have the same version and the same entities, in any order.
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
