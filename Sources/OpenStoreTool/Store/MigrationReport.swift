import Foundation
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenPersistenceKit
import OpenStoreContract

/// The migration of a store to another version, as rows.
package struct MigrationReport {
  private let path: String
  private let migration: StoreMigration
  private let version: String?
  private let stops: [String]

  /// Prepares a migration.
  ///
  /// - Parameters:
  ///   - path: The store.
  ///   - modelPath: The folder of the versions, or one version, to which the store's own model leads.
  ///   - version: The target version; nil for the current one.
  ///   - stops: Versions to pass through.
  ///   - makesBackup: Whether a backup is made first.
  /// - Throws: `ToolError` when the store or the model cannot be read.
  package init(
    storeAt path: String, modelAt modelPath: String, to version: String?, via stops: [String],
    makesBackup: Bool
  ) throws {
    self.path = path
    try InspectedStore.requireFile(path, for: "This way of migrating")
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
  }

  /// The versions of a model's folder, or the one version at a path, and which of them is the current one.
  ///
  /// The model that the store keeps goes before them when it is none of them.
  static func steps(
    of store: URL, _ model: URL
  ) throws -> (versions: [StoreMigration.Version], current: String) {
    var versions: [StoreMigration.Version]
    let current: String
    if ["momd", "xcdatamodeld"].contains(model.pathExtension) {
      versions = try reporting(model.path) { try StoreMigration.versions(at: model) }
      current = try reporting(model.path) { try ModelVersions.currentName(at: model) }
    } else {
      current = model.deletingPathExtension().lastPathComponent
      versions = [.init(current, try InspectedStore.model(at: model.path))]
    }
    if let kept = try InspectedStore.keptModel(of: store) {
      let hashes = kept.entityVersionHashesByName
      if !versions.contains(where: { $0.model.entityVersionHashesByName == hashes }) {
        versions.insert(.init("the store's", kept), at: 0)
      }
    }
    return (versions, current)
  }

  /// The tool waits for other programs as briefly as its other commands.
  private static let options: [String: Int] = [NSPersistentStoreTimeoutOption: 2]

  /// The mapping models in the folder of a model.
  static func mappings(beside folder: URL) throws -> [NSMappingModel] {
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: folder.deletingLastPathComponent(), includingPropertiesForKeys: nil)) ?? []
    return try files.filter { ["cdm", "xcmappingmodel"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
      .map { file in try reporting(file.path) { try NSMappingModel.reading(file) } }
  }

  // MARK: Planning

  /// The steps, a row each.
  package func plan() throws -> [[OutputValue.Field]] {
    rows(try Self.reporting(path) { try migration.plan(to: version, via: stops) })
  }

  /// The statements of the steps, a row each.
  package func statements() throws -> [[OutputValue.Field]] {
    try Self.reporting(path) { try migration.plan(to: version, via: stops) }.steps.flatMap { step in
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

  static func text(_ loss: StoreMigrationPlan.Loss) -> String {
    let place = [loss.entityName, loss.propertyName].compactMap { $0 }.joined(separator: ".")
    return "\(place) (\(loss.rowCount))"
  }

  /// What to say of a store that has the version already; nil for another one.
  package func completeness() throws -> String? {
    try Self.reporting(path) {
      if try migration.isNeeded(to: version) { return nil }
      return "\(path): The store has the version \(try migration.currentVersion) already.\n"
    }
  }

  // MARK: Running

  /// Migrates the store.
  ///
  /// - Parameter progress: Told how much is done, from 0 to 1.
  /// - Returns: The steps, a row each.
  package func run(_ progress: @escaping (Double) -> Void) throws -> [[OutputValue.Field]] {
    if let interrupted = try Self.reporting(path, { try migration.interrupted }) {
      throw ToolError(
        .usage,
        "\(path): A migration from \(interrupted.source) to \(interrupted.destination) was interrupted. Go on with --resume, or take it back with --roll-back."
      )
    }
    return rows(
      try Self.reporting(path) {
        try migration.run(to: version, via: stops) {
          progress($0)
          return true
        }
      })
  }

  /// Migrates a copy.
  package func dryRun() throws -> [[OutputValue.Field]] {
    rows(try Self.reporting(path) { try migration.dryRun(to: version, via: stops) })
  }

  /// Goes on with a migration that was interrupted.
  package func resume(_ progress: @escaping (Double) -> Void) throws -> [[OutputValue.Field]] {
    let plan = try Self.reporting(path) {
      try migration.resume {
        progress($0)
        return true
      }
    }
    guard let plan else { throw ToolError(.usage, "\(path): No migration was interrupted.") }
    return rows(plan)
  }

  /// Replaces the store with the backup of an interrupted migration.
  package func rollBack() throws -> [OutputValue.Field] {
    guard let backup = try Self.reporting(path, { try migration.rollBack() }) else {
      throw ToolError(.usage, "\(path): No migration with a backup was interrupted.")
    }
    return [.init("store", .text(migration.url.path)), .init("backup", .text(backup.url.path))]
  }

  static func reporting<Result>(
    _ path: String, _ work: () throws -> Result
  ) throws -> Result {
    do { return try work() } catch {
      throw ToolError(.unreadable, "\(path): \(InspectedStore.sentence(for: error))")
    }
  }
}
