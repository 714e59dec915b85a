public import CoreData
public import Foundation
import OpenPersistenceKit
public import SwiftData
import Synchronization

/// The library's container, which all windows of the application share, with the log, the clock and the backups of its file.
///
/// > Concurrency: Shared; usable on any thread.
public final class StoriesStore: Sendable {
  /// The location of a library.
  public enum Place: Hashable, Sendable {
    /// In a file.
    case file(URL)
    /// In memory, for tests and previews.
    case memory
  }

  /// Options for opening a library.
  public struct Options: Sendable {
    /// The time that a save waits for other programs before it fails and is retried, in seconds.
    public var timeout: TimeInterval = 5
    /// The observer that receives each SQL statement; nil for none.
    public var statementObserver: StatementObserver?
    /// The clock.
    public var clock = LibraryClock()

    /// Creates the default options.
    public init() {}
  }

  /// The schema of the current version.
  public static var schema: Schema { Schema(versionedSchema: StoriesSchemaV2.self) }

  /// The location of the library.
  public let place: Place
  /// The container.
  public let container: ModelContainer
  /// The log of important operations.
  public let log: OperationLog
  /// The clock.
  public let clock: LibraryClock

  /// Opens a library, and creates the library and its folder if they do not exist.
  ///
  /// `StoriesMigrationPlan` migrates a store of the first version, and the file is kept as a backup.
  ///
  /// - Parameters:
  ///   - place: The location of the library.
  ///   - options: The options.
  /// - Throws: `StoriesError` with code `.notOpened`, `.damaged` or `.newer`; the error lists the backups that can be restored.
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

  /// Opens the library of an existing file.
  ///
  /// - Throws: `StoriesError`, with code `.missingStore` if the file does not exist.
  public static func openExisting(_ url: URL, options: Options = Options()) throws -> StoriesStore {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw StoriesError(
        .missingStore, "The library does not exist. To create it, add a story.", path: url.path)
    }
    return try StoriesStore(.file(url), options: options)
  }

  // MARK: One for the application

  private struct WeakStore: Sendable {
    weak let store: StoriesStore?
  }

  private static let openStores = Mutex<[Place: WeakStore]>([:])

  /// Returns the library of a file that all windows of the process share. The library is opened once, and closed with its last reference.
  ///
  /// - Throws: The same errors as ``init(_:options:)``.
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

  /// Returns the default library file: `stories.store` in the user's data folder.
  ///
  /// - Parameter environment: The environment variables of the process.
  /// - Throws: `StoriesError` with code `.noFolder` if neither `XDG_DATA_HOME` nor `HOME` names a folder.
  public static func standardFile(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> URL {
    try folder("XDG_DATA_HOME", ".local/share", environment).appendingPathComponent("stories.store")
  }

  /// Returns the default folder for data that can be regenerated.
  ///
  /// - Parameter environment: The environment variables of the process.
  /// - Throws: `StoriesError` with code `.noFolder` if neither `XDG_CACHE_HOME` nor `HOME` names a folder.
  public static func standardCacheFolder(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> URL {
    try folder("XDG_CACHE_HOME", ".cache", environment)
  }

  /// Returns the folder for the cached stories of a library.
  ///
  /// The cache of the default library is in the default folder for data that can be regenerated. The cache of another library, or of a
  /// library without such a folder, is next to the library's file.
  ///
  /// - Parameters:
  ///   - url: The library's file.
  ///   - environment: The environment variables of the process.
  public static func cacheFolder(
    for url: URL, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL {
    // Without a home folder, no library is the default library.
    if let standard = try? standardFile(environment: environment),
      standard.standardizedFileURL.path == url.standardizedFileURL.path,
      let folder = try? standardCacheFolder(environment: environment)
    {
      return folder.appendingPathComponent("StoryCache")
    }
    return url.appendingPathExtension("cache")
  }

  private static func folder(
    _ variable: String, _ fallback: String, _ environment: [String: String]
  ) throws -> URL {
    // Values that are not absolute paths are ignored, as the XDG Base Directory Specification requires.
    if let path = environment[variable], path.hasPrefix("/") {
      return URL(fileURLWithPath: path).appendingPathComponent("magical-stories")
    }
    if let home = environment["HOME"], home.hasPrefix("/") {
      return URL(fileURLWithPath: home).appendingPathComponent(fallback)
        .appendingPathComponent("magical-stories")
    }
    throw StoriesError(
      .noFolder, "There is no home folder. Set \(variable) to a folder, or specify a file.")
  }

  // MARK: Following

  /// Returns a stream with an element after each save of any context or other program. Saves in quick succession yield one element.
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
