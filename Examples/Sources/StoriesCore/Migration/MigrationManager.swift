import CoreData
public import Foundation
public import OpenPersistenceKit
import OpenStoreContract
public import SwiftData

/// Migrates a store's file to the current version step by step, before the library opens it.
///
/// The manager is an alternative to `StoriesMigrationPlan`. Each can continue a migration that the other started.
public struct MigrationManager: Sendable {
  /// The result of a migration.
  public struct Report: Sendable {
    /// The version of the store before the migration.
    public let from: Schema.Version
    /// The version of the store after the migration.
    public let to: Schema.Version
    /// The backup of the original store; nil if the migration continued an earlier one.
    public let backup: StoreBackup?
  }

  /// The version to which stores are migrated.
  public static var targetVersion: Schema.Version { StoriesSchemaV2.versionIdentifier }

  private let url: URL
  private let now: @Sendable () -> Date

  /// Creates a manager of a store.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - now: The clock for the names of backups.
  public init(storeAt url: URL, now: @escaping @Sendable () -> Date = { Date() }) {
    self.url = url
    self.now = now
  }

  /// Returns the version of the store's file; nil if there is no store, or if the process was killed while it created the store.
  ///
  /// - Throws: `StoriesError` with code `.damaged` if the file cannot be read or has no version of this application.
  public func currentVersion() throws -> Schema.Version? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    let metadata: [String: Any]
    do {
      metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    } catch {
      if isUnfinished(error) { return nil }
      throw StoriesError(
        .damaged, "The library's file cannot be read.", path: url.path, underlying: error)
    }
    let names = metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []
    if let version = names.compactMap(Self.version).max() { return version }
    // A file has no models yet if the process was killed just after it created the file.
    let models = metadata[NSStoreModelVersionHashesKey] as? [String: Any] ?? [:]
    if models.isEmpty { return nil }
    throw StoriesError(
      .damaged, "The file is not a story library. It has no valid model version.", path: url.path)
  }

  /// Returns whether the metadata cannot be read because the file is empty, or is not a store.
  ///
  /// A process that is killed while it creates a library leaves such a file. Opening the file creates the library, or reports that the file
  /// is not a library.
  private func isUnfinished(_ error: any Error) -> Bool {
    let cause = (error as? CocoaError)?.userInfo[OpenStoreErrorKey] as? StoreError
    if cause?.code == .foreignFile { return true }
    let path = url.resolvingSymlinksInPath().path
    // If the size is unknown, the first error says why.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue == 0
  }

  private static func version(_ text: String) -> Schema.Version? {
    let parts = text.split(separator: ".").map { Int($0) }
    guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2] else {
      return nil
    }
    return Schema.Version(major, minor, patch)
  }

  /// Migrates the store unless it is up to date.
  ///
  /// - Returns: The result; nil if no migration was needed.
  /// - Throws: `StoriesError`; the store keeps the version of the last completed step.
  @discardableResult
  public func migrateIfNeeded() async throws -> Report? {
    guard let version = try currentVersion(), version < Self.targetVersion else { return nil }
    let backup = try backUp(version)
    do {
      try migrate(from: version)
    } catch {
      throw StoriesError.opening(url, error)
    }
    return Report(from: version, to: Self.targetVersion, backup: backup)
  }

  private func migrate(from version: Schema.Version) throws {
    if version < StoriesSchemaBridge.versionIdentifier {
      try open(StoriesSchemaBridge.self) { _ in }
    }
    try open(StoriesSchemaBridge.self) { try BridgeFilling.run(in: $0) }
    try open(StoriesSchemaV2.self) { _ in }
  }

  /// Opens the store with a version, which migrates the store to that version.
  private func open(
    _ version: any VersionedSchema.Type, _ work: (ModelContext) throws -> Void
  ) throws {
    let schema = Schema(versionedSchema: version)
    let container = try ModelContainer(
      for: schema, configurations: [ModelConfiguration(schema: schema, url: url)])
    try work(ModelContext(container))
  }

  /// Creates a backup of a store of the first version.
  ///
  /// - Returns: The backup; nil for other versions, whose backup was created before their migration began.
  func backUp(_ version: Schema.Version) throws -> StoreBackup? {
    guard version < StoriesSchemaBridge.versionIdentifier else { return nil }
    do {
      return try StoreBackups(ofStoreAt: url, now: now).make()
    } catch {
      throw StoriesError(
        .notOpened,
        "The library must be backed up before it is migrated, but the backup cannot be created.",
        path: url.path, underlying: error)
    }
  }
}
