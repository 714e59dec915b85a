import CoreData
import Foundation
import OpenPersistenceKit
import StoreSharing

/// The migration of a store's file to the newest version of its model, before the store is opened.
///
/// A backup is made before the first step, in a folder that contains only backups of migrations. The migration continues after the program
/// was killed.
struct StoreUpgrade {
  private let file: URL
  private let options: [String: NSObject]
  private let newest: Int
  private let model: (Int) throws -> NSManagedObjectModel

  /// Prepares the migration of a store.
  ///
  /// - Parameters:
  ///   - storage: The location of the store.
  ///   - options: The options for opening the store.
  ///   - newest: The number of the newest version of the model; the first one is 1.
  ///   - model: A closure that reads the version of the model with a number.
  /// - Returns: nil if there is no file to migrate.
  init?(
    _ storage: PersistenceController.Storage, options: [String: NSObject], newest: Int,
    model: @escaping (Int) throws -> NSManagedObjectModel
  ) {
    guard case .file(let file) = storage, FileManager.default.fileExists(atPath: file.path) else {
      return nil
    }
    self.file = file
    self.options = options
    self.newest = newest
    self.model = model
  }

  /// Migrates the store, unless it has the newest version. If another program migrates it, the method waits.
  ///
  /// - Parameter progress: A closure that receives the progress.
  /// - Throws: `ForumStoreError` with code `.notMigrated`. The store then has its earlier version, or a later opening continues the
  ///   migration.
  func run(_ progress: UpgradeProgress.Handler?) throws {
    do {
      // Usually, only the newest version of the model has to be read. An error is reported below: another program may be migrating the
      // store at this moment.
      if (try? Self.isNeeded(makeMigration(from: newest))) == false { return }
      let lock = try FileLock.take("\(file.path).upgrade")
      defer { withExtendedLifetime(lock) {} }
      // Another program may have migrated the store while this one waited.
      let migration = try makeMigration(from: 1)
      if try Self.isNeeded(migration) == true { try Self.migrate(migration, progress) }
    } catch {
      throw ForumStoreError(
        .notMigrated,
        "The store cannot be migrated to the newest version of its model. Its content is kept.",
        path: file.path, underlying: error)
    }
  }

  private func makeMigration(from first: Int) throws -> StoreMigration {
    let versions = try (first...newest).map { StoreMigration.Version("\($0)", try model($0)) }
    var migration = StoreMigration(storeAt: file, options: options, versions: versions)
    // The folder of `coredata backup` also contains backups of the user, which the migration must not delete.
    migration.backups = StoreBackups(
      ofStoreAt: file, in: URL(fileURLWithPath: "\(file.path).migration-backups"))
    migration.keptBackups = 1
    return migration
  }

  private static func migrate(
    _ migration: StoreMigration, _ progress: UpgradeProgress.Handler?
  ) throws {
    let wasInterrupted = try migration.interrupted != nil
    do {
      try migration.run { fraction in
        let step = UpgradeProgress(phase: .migration, done: Int(fraction * 100), total: 100)
        return progress?(step) ?? true
      }
    } catch {
      // If the rollback fails too, the next opening continues the migration. A migration that another run began is not undone, because
      // its backup may be older than the store's content.
      if !wasInterrupted { _ = try? migration.rollBack() }
      throw error
    }
  }

  /// - Returns: Whether the store has to be migrated; nil if it has none of the versions or is not a store. Opening it reports the error.
  private static func isNeeded(_ migration: StoreMigration) throws -> Bool? {
    if try migration.interrupted != nil { return true }
    do { return try migration.isNeeded() } catch is CocoaError { return nil }
  }
}
