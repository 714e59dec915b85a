/// A version of a schema: the model types and the version number.
///
/// > Reference: Apple, VersionedSchema.
public protocol VersionedSchema: SendableMetatype {
  /// The model types of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The version number of the schema.
  static var versionIdentifier: Schema.Version { get }
}

/// The versions of a schema, and the migration stages between the versions.
///
/// > Reference: Apple, SchemaMigrationPlan.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// The versions of the schema, from the oldest to the newest.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The stages between the versions, from the oldest to the newest.
  static var stages: [MigrationStage] { get }
}

/// A migration from one version of a schema to another version.
///
/// > Reference: Apple, MigrationStage.
public enum MigrationStage: Sendable {
  /// A migration with a mapping model that the container infers from the two versions.
  case lightweight(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// A migration that calls one closure before the store changes to the new version, and another
  /// closure afterward.
  ///
  /// The context that `willMigrate` receives has the models of the old version. The context that
  /// `didMigrate` receives has the models of the new version. A closure that changes models must
  /// save the context before the closure returns. A closure may be `nil`. If a closure throws an
  /// error, the migration fails, and the initializer of the container throws
  /// `SwiftDataError.loadIssueModelContainer` with this error as the underlying error.
  @preconcurrency case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: (@Sendable (ModelContext) throws -> Void)?,
    didMigrate: (@Sendable (ModelContext) throws -> Void)?)
}
