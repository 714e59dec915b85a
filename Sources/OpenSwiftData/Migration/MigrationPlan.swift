/// One version of a schema.
///
/// > Reference: Apple, VersionedSchema.
public protocol VersionedSchema: SendableMetatype {
  /// The version's models.
  static var models: [any PersistentModel.Type] { get }
  /// The version's number.
  static var versionIdentifier: Schema.Version { get }
}

/// The versions of a schema, and the stages of migration between them.
///
/// > Reference: Apple, SchemaMigrationPlan.
public protocol SchemaMigrationPlan: SendableMetatype {
  /// The versions, the oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The stages between them, in the same order.
  static var stages: [MigrationStage] { get }
}

/// The migration from one version of a schema to another.
///
/// > Reference: Apple, MigrationStage.
public enum MigrationStage {
  /// With a mapping inferred from the two versions.
  case lightweight(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// With code of the program, which works on the old version's models before, and on the new one's afterwards. Each closure has to save.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
}
