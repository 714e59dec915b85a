internal import Foundation
internal import OpenCoreData
internal import OpenMigration
internal import OpenObjectGraph
internal import OpenObjectModel

/// A migration plan, converted to the stages of a Core Data migration.
///
/// Core Data's migration also provides the journal, the resumption of an interrupted stage and the
/// choice of the migration steps.
struct PlanMigration {
  /// A version of the plan, reduced to the entities of one store if the models are in several
  /// stores.
  private struct Version {
    let type: any VersionedSchema.Type
    let schema: Schema
    let model: NSManagedObjectModel

    init(_ type: any VersionedSchema.Type, _ schema: Schema) throws {
      self.type = type
      self.schema = schema
      model = try schema.managedObjectModel()
    }
  }

  private let plan: any SchemaMigrationPlan.Type
  private let versions: [Version]
  private let stages: [MigrationStage]

  /// Builds the schema and the managed object model of every version.
  ///
  /// - Throws: ``SwiftDataError`` if two versions have the same models, or if a stage names a
  ///   version that the plan does not list. Also throws an error if a schema is invalid.
  init(_ plan: any SchemaMigrationPlan.Type) throws {
    self.plan = plan
    versions = try plan.schemas.map { try Version($0, Schema(versionedSchema: $0)) }
    stages = plan.stages
    try requireDistinctVersions()
    for stage in stages {
      for type in stage.versions { try requireListed(type) }
    }
  }

  private init(_ whole: PlanMigration, _ versions: [Version]) {
    plan = whole.plan
    stages = whole.stages
    self.versions = versions
  }

  private func requireDistinctVersions() throws {
    var seen: [String: any VersionedSchema.Type] = [:]
    for version in versions {
      if let other = seen[version.model.versionChecksum], other != version.type {
        throw SwiftDataError(
          .unknownSchema,
          "The versions \(other) and \(version.type) of the migration plan have the same models, so the library cannot determine "
            + "which version a store has. Give each version its own copies of the model classes, as they were in that version."
        )
      }
      seen[version.model.versionChecksum] = version.type
    }
  }

  private func requireListed(_ type: any VersionedSchema.Type) throws {
    if version(type) != nil { return }
    throw SwiftDataError(
      .unknownSchema,
      "A stage of the migration plan uses the version \(type), which is not in the plan's schemas.")
  }

  private func version(_ type: any VersionedSchema.Type) -> Version? {
    versions.first { $0.type == type }
  }

  // MARK: Parts

  /// Returns the plan for a store that contains some of the models.
  ///
  /// The result omits versions without these models, and stages that do not change these models.
  func part(keeping isKept: (_ entityName: String) -> Bool) throws -> PlanMigration {
    let parts = try versions.compactMap { version -> Version? in
      let part = version.schema.part(isKept)
      return part.entities.isEmpty ? nil : try Version(version.type, part)
    }
    return PlanMigration(self, parts)
  }

  /// Returns the model of the version that a store has; `nil` if no version of the plan matches.
  func model(fitting metadata: [String: Any]) -> NSManagedObjectModel? {
    models.first { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
  }

  // MARK: For stores

  /// Whether the plan has stages. A plan without stages migrates with inferred mappings.
  var hasStages: Bool { !stages.isEmpty }

  /// The models of all versions.
  var models: [NSManagedObjectModel] { versions.map(\.model) }

  /// Returns a manager with the plan's stages, for a store that is being opened.
  func manager() -> NSStagedMigrationManager {
    NSStagedMigrationManager(stages.compactMap { managed($0) })
  }

  private func managed(_ stage: MigrationStage) -> NSMigrationStage? {
    let ends = stage.versions.compactMap { version($0) }
    guard ends.count == 2, ends[0].model.versionChecksum != ends[1].model.versionChecksum else {
      return nil
    }
    switch stage {
    case .lightweight:
      return NSLightweightMigrationStage(ends.map(\.model.versionChecksum))
    case .custom(_, _, let willMigrate, let didMigrate):
      let stage = NSCustomMigrationStage(
        migratingFrom: Self.reference(to: ends[0]), to: Self.reference(to: ends[1]))
      stage.willMigrateHandler = willMigrate.map { Self.handler(ends[0].schema, $0) }
      stage.didMigrateHandler = didMigrate.map { Self.handler(ends[1].schema, $0) }
      return stage
    }
  }

  private static func reference(to version: Version) -> NSManagedObjectModelReference {
    NSManagedObjectModelReference(
      model: version.model, versionChecksum: version.model.versionChecksum)
  }

  /// Returns a handler that runs a closure of the plan with a context on the store.
  ///
  /// The store has the version's models when the handler runs. The handler throws the errors that
  /// the closure throws, and the deferred errors of the context.
  private static func handler(
    _ schema: Schema, _ body: @escaping (ModelContext) throws -> Void
  ) -> (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void {
    { manager, _ in
      let stores = manager.container?.persistentStoreCoordinator.persistentStores ?? []
      guard let url = stores.first?.url else {
        throw SwiftDataError(
          .loadIssueModelContainer, "The migration stage cannot open the store that it migrates.")
      }
      let container = try ModelContainer(
        for: schema, configurations: ModelConfiguration(schema: nil, url: url))
      defer { container.close() }
      let context = ModelContext(container)
      try body(context)
      // Otherwise, the migration would continue with replacements for values that were not read.
      try context.graph.throwDeferredErrors()
    }
  }

  // MARK: Errors

  /// Returns the error for a store that no stage of the plan migrates.
  ///
  /// - Parameters:
  ///   - metadata: The store's metadata.
  ///   - url: The store's file.
  ///   - model: The model that the store is opened with.
  ///   - cause: The error that the attempt to open the store threw.
  /// - Returns: The error; `nil` if `cause` has a code that does not concern the version of the
  ///   store.
  func mismatch(
    _ metadata: [String: Any], _ url: URL, _ model: NSManagedObjectModel, _ cause: CocoaError
  ) -> SwiftDataError? {
    let stored = StoredVersion(metadata, at: url)
    let own = StoredVersion.number(of: model)
    let newest = (versions.map(\.model) + [model]).compactMap { StoredVersion.number(of: $0) }
      .max()
    switch cause.code.rawValue {
    case NSStagedMigrationBackwardMigrationError:
      return stored.isNewer(than: own, cause)
    case NSManagedObjectModelReferenceNotFoundError, NSMigrationMissingSourceModelError:
      if let number = stored.number, let newest, newest < number {
        return stored.isNewer(than: own, cause)
      }
      return SwiftDataError(.unknownSchema, explanation(of: stored, metadata), cause)
    default: return nil
    }
  }

  private func explanation(of stored: StoredVersion, _ metadata: [String: Any]) -> String {
    let model = model(fitting: metadata)
    if let model, let known = versions.first(where: { $0.model === model }) {
      return
        "\(stored.description). These are the models of \(known.type), but no stage of the migration plan \(plan) starts at this "
        + "version. Add such a stage."
    }
    let names = versions.map { "\($0.type)" }.joined(separator: ", ")
    return
      "\(stored.description). No version of the migration plan \(plan) (\(names)) has these models. Add a version with these "
      + "models to the plan."
  }
}

extension MigrationStage {
  /// The versions before and after the stage.
  fileprivate var versions: [any VersionedSchema.Type] {
    switch self {
    case .lightweight(let from, let to), .custom(let from, let to, _, _): [from, to]
    }
  }
}
