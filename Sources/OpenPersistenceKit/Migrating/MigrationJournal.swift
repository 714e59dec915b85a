internal import Foundation
internal import OpenObjectGraph
internal import OpenStoreContract

extension StoreMigration {
  /// A description of a migration that did not finish, because its process was killed, a step
  /// failed, or the migration was canceled.
  public struct Interrupted: Sendable, Hashable, Codable {
    /// The name of the version that the store had before the migration. If a continued migration
    /// created a new backup, the value is the name of the version of the store in that backup.
    public var source: String
    /// The name of the target version.
    public var destination: String
    /// The names of the versions that the migration must pass through, in order; empty if the
    /// caller requested none.
    public var stops: [String]
    /// The id of the process that ran the migration.
    public var process: Int32
    /// The path of the backup's folder; nil if the migration did not create a backup.
    public var backup: String?
    /// The identifier of the store; nil if the journal does not contain it.
    public var storeIdentifier: String?

    /// Returns whether the migration may be a migration of the store with an identifier.
    func mayConcern(storeWithIdentifier identifier: String?) -> Bool {
      guard let identifier, let storeIdentifier else { return true }
      return identifier == storeIdentifier
    }
  }

  /// The interrupted migration of the store; nil if no migration of the store was interrupted.
  /// While another process migrates the store, the value describes this running migration.
  ///
  /// - Throws: `CocoaError` 134110 if the store's migration journal cannot be read.
  public var interrupted: Interrupted? { get throws { try MigrationJournal(url).read() } }
}

/// A file next to a store that records a migration that has begun. The file is deleted when the
/// migration is complete.
struct MigrationJournal {
  private let url: URL

  /// Creates the journal of a store: `.NAME.migration-state` in the store's folder.
  init(_ store: URL) {
    url = store.deletingLastPathComponent()
      .appendingPathComponent(".\(store.lastPathComponent).migration-state")
  }

  /// Whether a migration has begun and is not complete.
  var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Whether a journal exists, or a part of a journal that a killed process left.
  var hasFiles: Bool { exists || FileManager.default.fileExists(atPath: unfinished.path) }

  func read() throws -> StoreMigration.Interrupted? {
    guard exists else { return nil }
    do {
      return try JSONDecoder().decode(
        StoreMigration.Interrupted.self, from: try Data(contentsOf: url))
    } catch {
      throw failure(
        "The migration journal cannot be read. If no migration was started, delete it.", error)
    }
  }

  func write(_ entry: StoreMigration.Interrupted) throws {
    do {
      try JSONEncoder().encode(entry).write(to: unfinished)
      try FileSync.sync(unfinished.path)
      try FileSync.rename(unfinished.path, to: url.path)
    } catch {
      throw failure("The migration journal cannot be written.", error)
    }
  }

  /// Deletes the journal. Call only while other migrations are excluded, because they may have a
  /// journal too.
  func remove() throws {
    for file in [unfinished, url] where FileManager.default.fileExists(atPath: file.path) {
      do { try FileManager.default.removeItem(at: file) } catch {
        throw failure("The migration journal cannot be deleted.", error)
      }
    }
  }

  /// The URL of a journal that is being written. A later journal overwrites an incomplete journal
  /// that a killed process left.
  private var unfinished: URL { url.appendingPathExtension("new") }

  private func failure(_ message: String, _ error: any Error) -> CocoaError {
    CocoaError.make(
      CocoaError.Code(rawValue: NSMigrationError), "\(message) (\(error.localizedDescription))",
      path: url.path, userInfo: [NSUnderlyingErrorKey: error])
  }
}
