/// One version of a schema.
///
/// > Reference: Apple, VersionedSchema.
public protocol VersionedSchema: SendableMetatype {
  /// The model types of the version.
  static var models: [any PersistentModel.Type] { get }
  /// The version number of the schema.
  static var versionIdentifier: Schema.Version { get }
}

/// The versions of a schema, and the stages of migration between them.
///
/// > Reference: Apple, SchemaMigrationPlan.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// The versions of the schema, from the oldest to the newest.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The stages between the versions, from the oldest to the newest.
  static var stages: [MigrationStage] { get }
}

/// The migration from one version of a schema to another.
///
/// > Reference: Apple, MigrationStage.
public enum MigrationStage {
  /// A migration with a mapping model that is inferred from the two versions.
  case lightweight(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// A migration that calls closures of the application before and after the store has the new
  /// version.
  ///
  /// The context that `willMigrate` receives has the models of the old version. The context that
  /// `didMigrate` receives has the models of the new version. Each closure must save the context
  /// that the closure changes.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
}
