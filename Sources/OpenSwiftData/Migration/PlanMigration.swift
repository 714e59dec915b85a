internal import Foundation
internal import OpenCoreData
internal import OpenMigration
internal import OpenObjectGraph
internal import OpenObjectModel

/// A migration plan as the stages that Core Data's migration carries out.
///
/// The journal, the resumption of a killed stage and the ways of a migration are those of Core Data stacks.
struct PlanMigration {
  private let versions: [(type: any VersionedSchema.Type, model: NSManagedObjectModel)]
  private let stages: [MigrationStage]

  /// - Throws: ``SwiftDataError`` for versions that cannot be told apart, and for stages between versions that the plan does not
  ///   list; what a version's schema cannot be built from.
  init(_ plan: any SchemaMigrationPlan.Type) throws {
    versions = try plan.schemas.map { version in
      (version, try Schema(versionedSchema: version).managedObjectModel())
    }
    stages = plan.stages
    try requireDistinctVersions()
  }

  private func requireDistinctVersions() throws {
    var seen: [String: any VersionedSchema.Type] = [:]
    for (type, model) in versions {
      if let other = seen[model.versionChecksum], other != type {
        throw SwiftDataError(
          .unknownSchema,
          "The versions \(other) and \(type) of the migration plan have the same models, so that a store cannot tell which one it "
            + "has. Nest copies of the models as they were in each version.")
      }
      seen[model.versionChecksum] = type
    }
  }

  /// The models of all versions.
  var models: [NSManagedObjectModel] { versions.map(\.model) }

  /// The stages, for a store that is added.
  func manager() throws -> NSStagedMigrationManager {
    NSStagedMigrationManager(try stages.map { try managed($0) })
  }

  private func model(of type: any VersionedSchema.Type) throws -> NSManagedObjectModel {
    if let known = versions.first(where: { $0.type == type }) { return known.model }
    throw SwiftDataError(
      .unknownSchema,
      "A stage of the migration plan names the version \(type), which its schemas do not list.")
  }

  private func managed(_ stage: MigrationStage) throws -> NSMigrationStage {
    switch stage {
    case .lightweight(let from, let to):
      return NSLightweightMigrationStage([
        try model(of: from).versionChecksum, try model(of: to).versionChecksum,
      ])
    case .custom(let from, let to, let willMigrate, let didMigrate):
      let stage = NSCustomMigrationStage(
        migratingFrom: try reference(to: from), to: try reference(to: to))
      stage.willMigrateHandler = willMigrate.map { Self.handler(from, $0) }
      stage.didMigrateHandler = didMigrate.map { Self.handler(to, $0) }
      return stage
    }
  }

  private func reference(
    to type: any VersionedSchema.Type
  ) throws -> NSManagedObjectModelReference {
    let model = try model(of: type)
    return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }

  /// Runs a closure of a plan with a context over the store, which has the version's models then.
  private static func handler(
    _ version: any VersionedSchema.Type, _ body: @escaping (ModelContext) throws -> Void
  ) -> (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void {
    { manager, _ in
      let stores = manager.container?.persistentStoreCoordinator.persistentStores ?? []
      guard let url = stores.first?.url else { return }
      let container = try ModelContainer(
        for: Schema(versionedSchema: version),
        configurations: ModelConfiguration(schema: nil, url: url))
      try body(ModelContext(container))
      container.close()
    }
  }
}
