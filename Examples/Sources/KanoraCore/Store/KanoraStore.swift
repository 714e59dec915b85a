public import CoreData
public import Foundation
public import OpenPersistenceKit
public import StoreSharing
import Synchronization

extension PersistenceController.Configuration {
  /// The user's library: `Kanora.sqlite` in the user's data folder.
  public static var kanora: Self {
    var configuration = Self(
      name: KanoraModel.name,
      storage: .file(KanoraFolders.data().appendingPathComponent("Kanora.sqlite")),
      makeModel: { try KanoraModel.make() })
    configuration.makeSampleData = { try SampleLibrary.fill($0) }
    return configuration
  }
}

/// The stack of the music library: one store, its main context with an undo manager, and background work.
///
/// Shared.
// Invariant of the unchecked conformance: as in the superclass; this class adds only a constant and a mutex.
public final class KanoraStore: SharedStore, @unchecked Sendable {
  /// The user's library, opened on first access.
  ///
  /// If the store cannot be opened, the error is reported on standard output, and every use throws; see `requireStores()`.
  public static let shared = KanoraStore(opening: .kanora)

  /// An in-memory library with sample data.
  @MainActor public static let preview = KanoraStore(previewing: .kanora)

  /// The reason why the store could not be migrated to the newest version of the model; nil if it is up to date.
  public let migrationError: (any Error)?

  /// The last transaction of the history that the main context has seen; nil for none.
  private let lastSeen = Mutex<NSPersistentHistoryToken?>(nil)

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - storage: The store's location.
  ///   - options: Additional store options by key.
  /// - Throws: `KanoraError` with code `.notMigrated`; any error that reading the model or opening the store throws.
  public init(_ storage: Storage, options: [String: NSObject] = [:]) throws {
    migrationError = nil
    try Self.prepare(storage)
    try super.init(
      program: "kanora", name: KanoraModel.name, model: KanoraModel.make(), storage: storage,
      options: options)
    noteHistory()
  }

  /// Opens a store without failing; see `loadErrors` and `requireStores()`.
  public init(opening configuration: Configuration) {
    var failure: (any Error)?
    do { try Self.prepare(configuration.storage) } catch { failure = error }
    migrationError = failure
    super.init(program: "kanora", opening: configuration)
    if let failure { configuration.report("\(failure)") }
    noteHistory()
  }

  /// Opens an in-memory store with the sample data of a configuration.
  @MainActor public convenience init(previewing configuration: Configuration) {
    self.init(opening: configuration.inMemory)
    do {
      try configuration.makeSampleData?(viewContext)
      try saveViewContext()
      viewContext.undoManager?.removeAllActions()
    } catch {
      viewContext.rollback()
      handleError(error, context: "Creating sample data")
    }
  }

  /// Opens the store in a file, and creates it with its folder if it does not exist.
  ///
  /// - Throws: `KanoraError` with code `.notMigrated`, `.notOpened` or `.diskFull`.
  public static func openOrMake(
    _ file: URL, options: [String: NSObject] = [:]
  ) throws -> KanoraStore {
    do {
      return try KanoraStore(.file(file), options: options)
    } catch let error as KanoraError {
      throw error
    } catch {
      throw failure(.notOpened, "The library could not be opened.", file, error)
    }
  }

  /// Opens the store in a file that must exist.
  ///
  /// - Throws: `KanoraError` with code `.missingStore`, `.notMigrated`, `.notOpened` or `.diskFull`.
  public static func openExisting(
    _ file: URL, options: [String: NSObject] = [:]
  ) throws -> KanoraStore {
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw KanoraError(
        .missingStore, "The library does not exist. Scan a folder to create the library.",
        path: file.path)
    }
    return try openOrMake(file, options: options)
  }

  // MARK: Changes by other programs

  private func noteHistory() {
    let token = container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
    lastSeen.withLock { $0 = token }
  }

  /// Merges the changes that other programs have saved into the main context. Call on the main queue.
  ///
  /// - Throws: Any error of reading the history.
  func mergeOthers() throws {
    // No other program can open an in-memory store.
    if file == nil { return }
    let last = lastSeen.withLock { $0 }
    do {
      let newest = try mergeOthers(after: last, into: viewContext)
      lastSeen.withLock { $0 = newest }
    } catch let error as CocoaError where error.code == .persistentHistoryTokenExpired {
      // The changes are no longer known, so all objects are read again, and earlier actions cannot be undone.
      viewContext.undoManager?.removeAllActions()
      viewContext.reset()
      noteHistory()
    }
  }

  /// Creates the folder of a store's file, or migrates a store with an older version of the model to the newest one.
  private static func prepare(_ storage: Storage) throws {
    guard case .file(let file) = storage else { return }
    guard FileManager.default.fileExists(atPath: file.path) else {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      return
    }
    try migrate(file)
  }

  private static func migrate(_ file: URL) throws {
    do {
      let migration = try KanoraModel.migration(of: file)
      if try migration.interrupted != nil {
        try migration.resume()
      } else if try isOutdated(migration) {
        try migration.run()
      }
    } catch {
      throw failure(
        .notMigrated,
        "The library could not be migrated to the newest version of its model, and was left unchanged.",
        file, error)
    }
  }

  /// Returns the error for a library that cannot be opened. SQLite reports a full disk as a failed read or write.
  private static func failure(
    _ code: KanoraError.Code, _ message: String, _ file: URL, _ error: any Error
  ) -> KanoraError {
    let folder = file.deletingLastPathComponent().path
    // If the free space is unknown, the original error is reported.
    let space = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    if let free = space?[.systemFreeSize] as? NSNumber, free.int64Value < leastSpace {
      return KanoraError(
        .diskFull, "The disk is full. Free some space, and try again.", path: file.path,
        underlying: error)
    }
    return KanoraError(code, message, path: file.path, underlying: error)
  }

  /// The free space in bytes that SQLite needs to open a store, with the index of its log.
  private static let leastSpace: Int64 = 65_536

  private static func isOutdated(_ migration: StoreMigration) throws -> Bool {
    do { return try migration.isNeeded() } catch let error as CocoaError
      where error.code == .fileReadCorruptFile || error.code == .persistentStoreOpen
    {
      // The file is not a store. An empty database, which remains if a program is killed while it creates a library, becomes a store when
      // it is opened. Opening any other file throws.
      return false
    }
  }
}
