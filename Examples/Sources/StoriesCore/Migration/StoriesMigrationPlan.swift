public import SwiftData

/// The migration of a store from the first version to the second.
///
/// ```
/// 1.0 ── light ──▶ 1.1 ── custom ──▶ 2.0
/// ```
///
/// The lightweight stage adds the new entities and attributes. The custom stage merges duplicates and fills pages and settings, before the
/// old attributes are removed and ids become unique. If the process is killed, the store has one of these versions and all its values, and
/// the next opening continues the migration.
public enum StoriesMigrationPlan: SchemaMigrationPlan {
  public static var schemas: [any VersionedSchema.Type] {
    [StoriesSchemaV1.self, StoriesSchemaBridge.self, StoriesSchemaV2.self]
  }

  public static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: StoriesSchemaV1.self, toVersion: StoriesSchemaBridge.self),
      .custom(
        fromVersion: StoriesSchemaBridge.self, toVersion: StoriesSchemaV2.self,
        willMigrate: { try BridgeFilling.run(in: $0) }, didMigrate: nil),
    ]
  }
}
