import Foundation
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenStoreContract

/// A migration of a store to another model version, whose results are rows for the output of a
/// command.
package struct MigrationReport {
  private let path: String
  private let migration: StoreMigration
  private let version: String?
  private let stops: [String]
  private let allowsLoss: Bool
  /// The name of the version that represents the model in the store, if no given version has this
  /// model.
  static let ownVersion = "the store's"

  /// Prepares a migration.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - modelPath: The path of a folder with model versions, or of one model version. If the
  ///     store's own model is not one of the versions, the initializer adds this model as the first
  ///     version.
  ///   - version: The name of the target version; nil for the current version.
  ///   - stops: The names of versions that the migration must pass through, in order; empty for
  ///     none.
  ///   - makesBackup: Whether the migration first creates a backup.
  ///   - allowsLoss: Whether the migration may drop data of a store whose model is not one of the
  ///     versions. The program that wrote such a store may be newer than the versions.
  /// - Throws: `ToolError` with status `.unreadable` if the store, a model or a mapping model
  ///   cannot be read. Throws `ToolError` with status `.usage` if the store is on a server, or if a
  ///   folder at `path` does not contain exactly one store.
  package init(
    storeAt path: String, modelAt modelPath: String, to version: String?, via stops: [String],
    makesBackup: Bool, allowsLoss: Bool = false
  ) throws {
    self.path = path
    try InspectedStore.requireFile(path, for: "This kind of migration")
    let url = try InspectedStore.file(at: path)
    let folder = URL(fileURLWithPath: modelPath)
    let steps = try Self.steps(of: url, folder)
    var migration = StoreMigration(
      storeAt: url, options: Self.options, versions: steps.versions,
      mappings: try Self.mappings(beside: folder))
    if !makesBackup { migration.backups = nil }
    self.migration = migration
    self.version = version ?? steps.current
    self.stops = stops
    self.allowsLoss = allowsLoss
  }

  /// Returns the versions in a model's folder, or the version at a path, and the name of the
  /// current version.
  ///
  /// If the store contains a model that is not one of these versions, the method inserts this model
  /// before the versions.
  static func steps(
    of store: URL, _ model: URL
  ) throws -> (versions: [StoreMigration.Version], current: String) {
    var versions: [StoreMigration.Version]
    let current: String
    if ["momd", "xcdatamodeld"].contains(model.pathExtension) {
      versions = try ToolError.reporting(model.path) { try StoreMigration.versions(at: model) }
      current = try ToolError.reporting(model.path) { try ModelVersions.currentName(at: model) }
    } else {
      current = model.deletingPathExtension().lastPathComponent
      versions = [.init(current, try InspectedStore.model(at: model.path))]
    }
    if let kept = try InspectedStore.keptModel(of: store) {
      let hashes = kept.entityVersionHashesByName
      if !versions.contains(where: { $0.model.entityVersionHashesByName == hashes }) {
        versions.insert(.init(ownVersion, kept), at: 0)
      }
    }
    return (versions, current)
  }

  /// The options for opening the store. As in the other commands, the timeout for other processes
  /// is two seconds.
  private static let options: [String: Int] = [NSPersistentStoreTimeoutOption: 2]

  /// Returns the mapping models in the folder that contains a model, or that contains the model's
  /// folder of versions.
  ///
  /// - Throws: `ToolError` if the folder or a mapping model cannot be read. With an inferred
  ///   mapping instead, the migration would lose the values that the mapping model converts.
  static func mappings(beside model: URL) throws -> [NSMappingModel] {
    let folder = ModelVersions.container(of: model).deletingLastPathComponent()
    let files = try ToolError.reporting(folder.path) {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    }
    return try files.filter { ["cdm", "xcmappingmodel"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
      .map { file in try ToolError.reporting(file.path) { try NSMappingModel.reading(file) } }
  }

  // MARK: Planning

  /// Returns one row for each step of the migration, without migrating the store. The result is
  /// empty if the store already has the target version.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if the store cannot be read, or if a step is
  ///   not possible.
  package func plan() throws -> [[OutputValue.Field]] {
    rows(try ToolError.reporting(path) { try migration.plan(to: version, via: stops) })
  }

  /// Returns one row for each SQL statement of the migration, without migrating the store. The
  /// result is empty if the store already has the target version.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if the store cannot be read, or if a step is
  ///   not possible.
  package func statements() throws -> [[OutputValue.Field]] {
    try ToolError.reporting(path) { try migration.plan(to: version, via: stops) }.steps.flatMap {
      step in
      step.statements.map {
        [
          .init("step", .text("\(step.source) → \(step.destination)")),
          .init("statement", .text($0)),
        ]
      }
    }
  }

  private func rows(_ plan: MigrationPlan) -> [[OutputValue.Field]] {
    plan.steps.map { step in
      [
        .init("from", .text(step.source)), .init("to", .text(step.destination)),
        .init("mapping", .text(step.kind.rawValue)),
        .init("way", .text(step.way?.rawValue ?? "objects")),
        .init("rows", step.rewrittenRows.map { .integer(Int64($0)) } ?? .null),
        .init("bytes", step.bytesNeeded.map { .integer($0) } ?? .null),
        .init("lost", .text(step.losses.map(Self.text).joined(separator: ", "))),
        .init("why", .text(step.reasons.joined(separator: " "))),
      ]
    }
  }

  /// Requires that a migration from a model that only the store contains drops no data.
  static func requireNoLoss(
    _ path: String, from source: String?, _ losses: [StoreMigrationPlan.Loss]
  ) throws {
    guard source == ownVersion, !losses.isEmpty else { return }
    throw ToolError(
      .usage,
      "\(path): The store's model is not one of the versions, so it may be newer than the versions. The migration would delete "
        + losses.map(text).joined(separator: ", ")
        + ". Add the store's version to the model folder, or allow the deletion with --allow-loss.")
  }

  static func text(_ loss: StoreMigrationPlan.Loss) -> String {
    let place = [loss.entityName, loss.propertyName].compactMap { $0 }.joined(separator: ".")
    return "\(place) (\(loss.rowCount))"
  }

  /// Returns a message if the store already has the target version; otherwise, returns nil.
  ///
  /// - Throws: `ToolError` with status `.unreadable` if the store cannot be read or its version is
  ///   unknown.
  package func completeness() throws -> String? {
    try ToolError.reporting(path) {
      if try migration.isNeeded(to: version) { return nil }
      return "\(path): The store already has the version \(try migration.currentVersion).\n"
    }
  }

  // MARK: Running

  /// Migrates the store.
  ///
  /// - Parameter progress: A closure that receives the completed fraction, from 0 to 1.
  /// - Returns: One row for each step; an empty array if the store already has the target version.
  /// - Throws: `ToolError` with status `.usage` if an earlier migration was interrupted. Throws
  ///   `ToolError` with the same status if `allowsLoss` is false, the store's model is not one of
  ///   the versions, and the migration would drop data. Throws `ToolError` with status
  ///   `.unreadable` if the migration fails.
  package func run(_ progress: @escaping (Double) -> Void) throws -> [[OutputValue.Field]] {
    if let interrupted = try ToolError.reporting(path, { try migration.interrupted }) {
      throw ToolError(
        .usage,
        "\(path): A migration from \(interrupted.source) to \(interrupted.destination) was interrupted. Continue it with --resume, or undo it with --roll-back."
      )
    }
    try requireNoLoss()
    return rows(
      try ToolError.reporting(path) {
        try migration.run(to: version, via: stops) {
          progress($0)
          return true
        }
      })
  }

  /// Requires that the migration drops no data that `allowsLoss` protects.
  private func requireNoLoss() throws {
    guard !allowsLoss,
      try ToolError.reporting(path, { try migration.currentVersion }) == Self.ownVersion
    else { return }
    let steps = try ToolError.reporting(path) { try migration.plan(to: version, via: stops) }.steps
    // The row counts of later steps are not known yet.
    let losses =
      (steps.first?.losses.filter { $0.rowCount > 0 } ?? []) + steps.dropFirst().flatMap(\.losses)
    try Self.requireNoLoss(path, from: steps.first?.source, losses)
  }

  /// Migrates a temporary copy of the store, and returns one row for each step; an empty array if
  /// the store already has the target version.
  ///
  /// - Throws: `ToolError` with status `.usage` if `allowsLoss` is false, the store's model is not
  ///   one of the versions, and the migration would drop data. Throws `ToolError` with status
  ///   `.unreadable` if the migration fails.
  package func dryRun() throws -> [[OutputValue.Field]] {
    try requireNoLoss()
    return rows(try ToolError.reporting(path) { try migration.dryRun(to: version, via: stops) })
  }

  /// Continues an interrupted migration, and returns one row for each step.
  ///
  /// - Parameter progress: A closure that receives the completed fraction, from 0 to 1.
  /// - Throws: `ToolError` with status `.usage` if no migration was interrupted, or with status
  ///   `.unreadable` if the migration fails.
  package func resume(_ progress: @escaping (Double) -> Void) throws -> [[OutputValue.Field]] {
    let plan = try ToolError.reporting(path) {
      try migration.resume {
        progress($0)
        return true
      }
    }
    guard let plan else { throw ToolError(.usage, "\(path): No migration was interrupted.") }
    return rows(plan)
  }

  /// Undoes the completed steps of an interrupted migration by restoring its backup.
  ///
  /// - Returns: A row with the paths of the store and of the backup.
  /// - Throws: `ToolError` with status `.usage` if no migration with a backup was interrupted, or
  ///   with status `.unreadable` if the backup cannot be restored.
  package func rollBack() throws -> [OutputValue.Field] {
    guard let backup = try ToolError.reporting(path, { try migration.rollBack() }) else {
      throw ToolError(.usage, "\(path): No migration with a backup was interrupted.")
    }
    return [.init("store", .text(migration.url.path)), .init("backup", .text(backup.url.path))]
  }
}
