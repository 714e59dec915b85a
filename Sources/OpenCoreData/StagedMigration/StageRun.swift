internal import Foundation
internal import OpenMigration
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract

/// Runs the stages that lead from the version of one store to the requested model.
struct StageRun {
  /// The metadata key of the version checksum whose `didMigrateHandler` was not completed.
  static let pendingKey = "OpenMigrationStage"

  private let manager: NSStagedMigrationManager
  private var request: StoreMigrationRequest

  init(_ manager: NSStagedMigrationManager, _ request: StoreMigrationRequest) {
    self.manager = manager
    self.request = request
  }

  /// Migrates the store to the model that the store is opened with.
  func run() throws {
    try resume()
    let target = request.model.descriptions
    let path = StagePath(manager.stages, target: target.versionChecksum)
    let store = VersionStep(request)
    var model = try store.wholeSourceModel().0
    // The versions of the stages may also contain only the entities of the store's configuration.
    if !path.contains(model.versionChecksum) { model = try store.sourceModel().0 }
    var stages = self
    // The metadata lists only the entities of the configuration; the file has tables for all.
    if store.hasMore(model) { stages.request.configuration.ignoresModelVersion = true }
    let steps = try path.steps(from: model.versionChecksum)
    // Only entity numbers or the names of composite attributes differ, which checksums do not
    // contain.
    if steps.isEmpty { return try stages.step(to: target).migrateAutomatically(from: model) }
    for step in steps {
      if let stage = step.custom {
        model = try stages.run(stage, model)
      } else {
        model = try stages.runLightweight(step.checksums, model)
      }
    }
  }

  /// Runs the handler that a killed process did not complete after a migration.
  func resume() throws {
    let metadata = try metadata()
    guard let pending = metadata[Self.pendingKey] as? String else { return }
    let listed = NSManagedObjectModel.versionHashes(in: metadata).map {
      NSManagedObjectModel.checksum(of: $0)
    }
    let stage = manager.stages.lazy.compactMap { $0 as? NSCustomMigrationStage }
      .first { $0.nextModel.versionChecksum == pending }
    // The metadata of a store of a configuration lists only some entities.
    if let stage, try listed == pending || wholeChecksum() == pending { try runDidMigrate(stage) }
    // If the migration did not reach the recorded version, its stage starts again.
    try setPending(nil)
  }

  /// Returns the checksum of the complete model that the store was written with; nil if the model
  /// is not found, and therefore is not the model of a stage.
  private func wholeChecksum() throws -> String? {
    do {
      return try VersionStep(request).wholeSourceModel().0.versionChecksum
    } catch let error as CocoaError
      where error.code.rawValue == NSMigrationMissingSourceModelError
    {
      return nil
    }
  }

  private func run(
    _ stage: NSCustomMigrationStage, _ model: NSManagedObjectModel
  ) throws -> NSManagedObjectModel {
    let current = try stage.currentModel.resolve()
    let next = try stage.nextModel.resolve()
    // Version checksums do not contain the names of composite attributes.
    if let kept = try request.files.undamagedModel(StoreConfiguration(url: request.url)),
      kept.versionChecksum == current.versionChecksum,
      current.entityWithRenamedComposites(in: kept) != nil
    {
      try step(to: current).migrateAutomatically(from: kept)
    }
    if let handler = stage.willMigrateHandler {
      try manager.withContainer(current, request) { try handler(manager, stage) }
    }
    if stage.didMigrateHandler != nil { try setPending(stage.nextModel.versionChecksum) }
    try step(to: next).migrateAutomatically(from: current)
    if stage.didMigrateHandler != nil {
      try runDidMigrate(stage)
      try setPending(nil)
    }
    return next
  }

  private func runDidMigrate(_ stage: NSCustomMigrationStage) throws {
    guard let handler = stage.didMigrateHandler else { return }
    try manager.withContainer(try stage.nextModel.resolve(), request) {
      try handler(manager, stage)
    }
  }

  /// Migrates to the last of several versions. The migration is a single step if this step keeps
  /// all values that single steps through all versions keep.
  private func runLightweight(
    _ checksums: [String], _ source: NSManagedObjectModel
  ) throws -> NSManagedObjectModel {
    var source = source
    guard let last = checksums.last else { return source }
    let target = try model(last)
    // A version that can be skipped need not be in the program.
    let between = checksums.dropLast().map { try? model($0) }
    let isDirect = ModelTransition.canSkip(between, from: source, to: target)
    for checksum in isDirect ? [last] : checksums {
      let next = checksum == last ? target : try model(checksum)
      try step(to: next).migrateAutomatically(from: source)
      source = next
    }
    return source
  }

  private func step(to model: NSManagedObjectModel) throws -> VersionStep {
    var request = request
    request.model = try model.usable()
    return VersionStep(request)
  }

  private func model(_ checksum: String) throws -> NSManagedObjectModel {
    let target = request.model.descriptions
    if checksum == target.versionChecksum { return target }
    for case let stage as NSCustomMigrationStage in manager.stages {
      for reference in [stage.currentModel, stage.nextModel]
      where reference.versionChecksum == checksum {
        return try reference.resolve()
      }
    }
    if let found = request.library.model(checksum: checksum) { return found }
    throw CocoaError.make(
      CocoaError.Code(rawValue: NSManagedObjectModelReferenceNotFoundError),
      "The model version \(checksum) of a migration stage was not found in the program's bundles. Add the model to a bundle, or pass it in OpenModelVersionsOption."
    )
  }

  // MARK: Metadata

  private func metadata() throws -> [String: any Sendable] {
    do throws(StoreError) {
      return try request.files.metadata(request.configuration)
    } catch {
      throw CocoaError.surfaced(error)
    }
  }

  private func setPending(_ checksum: String?) throws {
    var metadata = try metadata()
    guard metadata[Self.pendingKey] as? String != checksum else { return }
    metadata[Self.pendingKey] = checksum
    do throws(StoreError) {
      try request.files.setMetadata(metadata, request.configuration)
    } catch {
      throw CocoaError.surfaced(error)
    }
  }
}

/// The versions that the stages pass through, in order.
struct StagePath {
  /// A migration of a store from one version to a later version.
  struct Step {
    /// The stage with handlers, or nil for lightweight migrations.
    var custom: NSCustomMigrationStage?
    /// The versions that the step passes through. The last version is the end of the step.
    var checksums: [String]
  }

  private var checksums: [String] = []
  /// The stages with handlers, by the checksum of the version that they end with.
  private var customs: [String: NSCustomMigrationStage] = [:]
  private let target: String

  init(_ stages: [NSMigrationStage], target: String) {
    self.target = target
    for stage in stages {
      switch stage {
      case let stage as NSCustomMigrationStage:
        append(stage.currentModel.versionChecksum)
        append(stage.nextModel.versionChecksum)
        customs[stage.nextModel.versionChecksum] = stage
      case let stage as NSLightweightMigrationStage:
        stage.versionChecksums.forEach { append($0) }
      default: break
      }
    }
    if !checksums.contains(target) { append(target) }
  }

  private mutating func append(_ checksum: String) {
    if checksums.last != checksum { checksums.append(checksum) }
  }

  /// Returns whether a stage contains a version, or the version is the target version.
  func contains(_ checksum: String) -> Bool { checksums.contains(checksum) }

  /// Returns the steps from a version to the target version.
  ///
  /// - Throws: `CocoaError` 134506 for a version after the target version, 134504 for a version
  ///   that no stage contains.
  func steps(from checksum: String) throws -> [Step] {
    guard let end = checksums.lastIndex(of: target), let start = checksums.firstIndex(of: checksum)
    else {
      throw CocoaError.make(
        CocoaError.Code(rawValue: NSManagedObjectModelReferenceNotFoundError),
        "No migration stage contains the version of the store, \(checksum). If the store is older than the first stage, add stages "
          + "for its version. If the store is newer, open it with a newer version of the program.")
    }
    guard start <= end else {
      throw CocoaError.make(
        CocoaError.Code(rawValue: NSStagedMigrationBackwardMigrationError),
        "The version of the store, \(checksum), is newer than the version of the model that opens it, \(target). Migration stages cannot migrate a store to an older version."
      )
    }
    var steps: [Step] = []
    for checksum in checksums[start...end].dropFirst() {
      if let custom = customs[checksum] {
        steps.append(Step(custom: custom, checksums: [checksum]))
      } else if let last = steps.last, last.custom == nil {
        steps[steps.count - 1].checksums.append(checksum)
      } else {
        steps.append(Step(custom: nil, checksums: [checksum]))
      }
    }
    return steps
  }
}
