public import SwiftData

/// How a store of the first version becomes one of the second.
///
/// ```
/// 1.0 ── light ──▶ 1.1 ── custom ──▶ 2.0
/// ```
///
/// The light stage adds what is new. The custom one merges duplicates and fills pages and settings before the old attributes go and ids
/// become unique. A process that is killed leaves a store of one of these versions, with all its values, and the next opening goes on.
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
