public import CoreData
public import Foundation
import OpenPersistenceKit
public import SwiftData
import Synchronization

/// The library's container, which all windows of the application share, with what belongs to its file.
///
/// Shared.
public final class StoriesStore: Sendable {
  /// Where a library is kept.
  public enum Place: Hashable, Sendable {
    /// In a file.
    case file(URL)
    /// In memory, for tests and previews.
    case memory
  }

  /// How a library is opened.
  public struct Options: Sendable {
    /// How long a save waits for other programs before it fails and is tried again, in seconds.
    public var timeout: TimeInterval = 5
    /// Called with each SQL statement; nil for nobody.
    public var statementObserver: StatementObserver?
    /// What time it is.
    public var clock = LibraryClock()

    /// Makes the usual options.
    public init() {}
  }

  /// The schema of the current version.
  public static var schema: Schema { Schema(versionedSchema: StoriesSchemaV2.self) }

  /// Where the library is kept.
  public let place: Place
  /// The container.
  public let container: ModelContainer
  /// The log of important operations.
  public let log: OperationLog
  /// What time it is.
  public let clock: LibraryClock

  /// Opens a library, and makes it with its folder when there is none.
  ///
  /// A store of the first version is migrated by `StoriesMigrationPlan`, and its file is kept as a backup.
  ///
  /// - Parameters:
  ///   - place: Where it is.
  ///   - options: How.
  /// - Throws: `StoriesError` with code `.notOpened`, `.damaged` or `.newer`, which has the backups that can be restored.
  public init(_ place: Place, options: Options = Options()) throws {
    self.place = place
    clock = options.clock
    switch place {
    case .memory:
      log = OperationLog(at: nil)
      container = try Self.open(
        ModelConfiguration(
          schema: Self.schema, isStoredInMemoryOnly: true, cloudKitDatabase: .none),
        options)
    case .file(let url):
      log = OperationLog(at: url.appendingPathExtension("log"))
      do {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let manager = MigrationManager(storeAt: url, now: clock.now)
        let former = try manager.currentVersion()
        if let former { try Self.prepare(former, manager, log, clock) }
        container = try Self.open(
          ModelConfiguration(schema: Self.schema, url: url, cloudKitDatabase: .none), options)
        if let former, former < MigrationManager.targetVersion {
          log.note("migrate", "\(former) → \(MigrationManager.targetVersion)", at: clock.now())
        }
      } catch {
        throw StoriesError.opening(url, error)
      }
    }
  }

  private static func prepare(
    _ version: Schema.Version, _ manager: MigrationManager, _ log: OperationLog,
    _ clock: LibraryClock
  ) throws {
    guard version < MigrationManager.targetVersion, let backup = try manager.backUp(version) else {
      return
    }
    log.note("back up before migration", backup.url.lastPathComponent, at: clock.now())
  }

  private static func open(
    _ configuration: ModelConfiguration, _ options: Options
  ) throws -> ModelContainer {
    var configuration = configuration
    configuration.timeout = options.timeout
    configuration.statementObserver = options.statementObserver
    return try ModelContainer(
      for: schema, migrationPlan: StoriesMigrationPlan.self, configurations: [configuration])
  }

  /// Opens the library of a file that must exist.
  ///
  /// - Throws: `StoriesError`, with code `.missingStore` when there is none.
  public static func openExisting(_ url: URL, options: Options = Options()) throws -> StoriesStore {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw StoriesError(
        .missingStore, "There is no library. Make a story to begin one.", path: url.path)
    }
    return try StoriesStore(.file(url), options: options)
  }

  // MARK: One for the application

  private struct WeakStore: Sendable {
    weak let store: StoriesStore?
  }

  private static let openStores = Mutex<[Place: WeakStore]>([:])

  /// The library of a file that all windows of the process share: it is opened once, and closed with its last user.
  ///
  /// - Throws: As ``init(_:options:)``.
  public static func shared(_ url: URL, options: Options = Options()) throws -> StoriesStore {
    let place = Place.file(url.standardizedFileURL)
    return try openStores.withLock { stores in
      if let store = stores[place]?.store { return store }
      let store = try StoriesStore(place, options: options)
      stores[place] = WeakStore(store: store)
      return store
    }
  }

  // MARK: Places

  /// The library's file where none is named: `stories.store` in the user's data folder.
  ///
  /// - Parameter environment: The variables of the process.
  /// - Throws: `StoriesError` with code `.noFolder` where neither `XDG_DATA_HOME` nor `HOME` names a folder.
  public static func standardFile(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> URL {
    try folder("XDG_DATA_HOME", ".local/share", environment).appendingPathComponent("stories.store")
  }

  /// The folder for what can be made again where none is named.
  ///
  /// - Parameter environment: The variables of the process.
  /// - Throws: `StoriesError` with code `.noFolder`.
  public static func standardCacheFolder(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> URL {
    try folder("XDG_CACHE_HOME", ".cache", environment)
  }

  private static func folder(
    _ variable: String, _ fallback: String, _ environment: [String: String]
  ) throws -> URL {
    // Values that are not absolute paths are ignored, as the XDG base directory specification asks.
    if let path = environment[variable], path.hasPrefix("/") {
      return URL(fileURLWithPath: path).appendingPathComponent("magical-stories")
    }
    if let home = environment["HOME"], home.hasPrefix("/") {
      return URL(fileURLWithPath: home).appendingPathComponent(fallback)
        .appendingPathComponent("magical-stories")
    }
    throw StoriesError(
      .noFolder, "There is no home folder. Set \(variable) to a folder, or name a file.")
  }

  // MARK: Following

  /// An element after each save of any context or other program; saves in quick succession give one.
  public func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let saves = NotificationCenter.default.notifications(
      named: ModelContainer.remoteChange, object: container)
    let task = Task {
      for await _ in saves { continuation.yield() }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
