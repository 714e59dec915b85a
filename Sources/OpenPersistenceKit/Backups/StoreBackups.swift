public import Foundation
public import OpenObjectGraph
internal import OpenObjectModel
internal import OpenStoreContract

/// The backups of one store.
///
/// If `NAME` is the name of the store's file, the backups are in the folder `NAME.backups` next to
/// the store. Each backup is a folder, such as `NAME-20261124T213005Z-1a2B3c4D`, with a copy of the
/// store's file and of the files of its external values. The name of a backup contains the time in
/// UTC and the beginning of the version checksum of the store's model. A new backup receives its
/// final name only after its contents are complete, checked and synchronized to disk. A backup is
/// therefore either complete or absent.
///
/// ```swift
/// let backups = StoreBackups(ofStoreAt: url)
/// let backup = try backups.make(keeping: 5)
/// try backups.restore(backup)
/// ```
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread. The methods may run concurrently.
public struct StoreBackups: Sendable {
  /// The URL of the store's file.
  public let storeURL: URL
  /// The folder that contains the backups. The first backup creates the folder.
  public let folder: URL
  private let type: NSPersistentStore.StoreType
  private let timeout: TimeInterval
  private let now: @Sendable () -> Date

  /// Creates a value that refers to the backups of a store, without reading or creating files.
  ///
  /// - Parameters:
  ///   - url: The URL of the store's file.
  ///   - folder: The folder that contains the backups; nil for the folder `NAME.backups` next to
  ///     the store, where `NAME` is the name of the store's file.
  ///   - type: The store's type. Stores of this type must keep their data in files.
  ///   - timeout: The maximum time, in seconds, to wait for other processes that use the store; 0
  ///     or less not to wait.
  ///   - now: A closure that returns the current time, which becomes part of the names of new
  ///     backups.
  public init(
    ofStoreAt url: URL, in folder: URL? = nil, type: NSPersistentStore.StoreType = .sqlite,
    timeout: TimeInterval = 2, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    storeURL = url
    self.folder = folder ?? Self.folder(ofStoreAt: url)
    self.type = type
    self.timeout = timeout
    self.now = now
  }

  private static let ending = ".backups"

  private static func folder(ofStoreAt url: URL) -> URL {
    url.deletingLastPathComponent().appendingPathComponent(url.lastPathComponent + ending)
  }

  /// Creates a value that refers to all backups of the SQLite store to which a given backup
  /// belongs.
  ///
  /// The result is nil if the backup is not in a folder with the default name `NAME.backups`.
  ///
  /// - Parameter backup: The URL of the backup's folder; see ``StoreBackup/url``.
  public init?(containing backup: URL) {
    let folder = backup.standardizedFileURL.deletingLastPathComponent()
    let name = folder.lastPathComponent
    guard name.hasSuffix(Self.ending), name.count > Self.ending.count else { return nil }
    let store = folder.deletingLastPathComponent()
      .appendingPathComponent(String(name.dropLast(Self.ending.count)))
    self.init(ofStoreAt: store)
  }

  private var storeName: String { storeURL.lastPathComponent }

  // MARK: Reading

  /// Returns all complete backups, the newest first.
  ///
  /// If the folder of the backups does not exist, the array is empty.
  ///
  /// - Throws: `CocoaError`, such as 257, if the folder exists but cannot be read.
  public func list() throws -> [StoreBackup] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .compactMap {
        StoreBackup(
          at: folder.appendingPathComponent($0, isDirectory: true), ofStoreNamed: storeName)
      }
      .sorted { StoreBackup.isOlder($1, $0) }
  }

  // MARK: Making

  /// Creates a backup of all saved data, including rows in the store's write-ahead log and external
  /// values.
  ///
  /// During the call, other contexts and processes may have the store open and save changes. The
  /// method adds the copy to the backups only after it has checked the copy.
  ///
  /// - Parameter count: The number of backups to keep, including the new backup; nil to keep all.
  ///   A value less than 1 is treated as 1. The method removes the oldest backups, but never the
  ///   new backup.
  /// - Returns: The new backup.
  /// - Throws: `CocoaError`, for example with one of the following codes. If the method cannot
  ///   remove an earlier backup, the method throws, but the new backup remains. After any other
  ///   error, no files of the new backup remain.
  ///   - 257 or 513: The folder of the backups cannot be read, created or changed.
  ///   - 259: The store is damaged.
  ///   - 260: The store is missing.
  ///   - 516: 1,000 backups were created in the same second.
  ///   - 134030: The disk is full.
  ///   - 134090: Another process migrates, destroys or replaces the store.
  public func make(keeping count: Int? = nil) throws -> StoreBackup {
    let earlier = Set(try list())
    let (partial, lock) = try makePartialFolder()
    defer { lock?.release() }
    let backup: StoreBackup
    do {
      let copy = partial.appendingPathComponent(storeName)
      try replace(copy, with: storeURL)
      try NSPersistentStoreCoordinator.checkPersistentStore(type: type, at: copy)
      backup = try settle(partial, versionPrefix: versionPrefix(ofStoreAt: copy))
    } catch {
      try? FileManager.default.removeItem(at: partial)  // The first error counts.
      removeFolderIfEmpty()
      throw error
    }
    // If the clock was set back, the new backup is not the newest. Calls that run at the same time
    // do not remove each other's backup.
    if let count {
      for other in try list().filter(earlier.contains).dropFirst(max(count, 1) - 1) {
        try removeIfPresent(other)
      }
    }
    return backup
  }

  /// Returns the URL of a new folder for an incomplete or removed backup, which ``list()`` does not
  /// return.
  private static func partialURL(in folder: URL) -> URL {
    folder.appendingPathComponent(partialPrefix + UUID().uuidString, isDirectory: true)
  }

  private static let partialPrefix = ".partial-"

  /// Creates and locks a folder for an incomplete backup, and removes incomplete backups of
  /// programs that no longer run.
  ///
  /// - Returns: The folder and its lock. The lock is nil if the file system does not support locks.
  private func makePartialFolder() throws -> (folder: URL, lock: PresenceLock?) {
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix(Self.partialPrefix) {
      removeIfAbandoned(folder.appendingPathComponent(name))
    }
    while true {
      let partial = Self.partialURL(in: folder)
      try files.createDirectory(at: partial, withIntermediateDirectories: false)
      let lock = PresenceLock(partial.path, waits: true)
      if files.fileExists(atPath: partial.path) { return (partial, lock) }
      // Before the folder was locked, another program removed it as abandoned.
      lock?.release()
    }
  }

  /// Removes an incomplete backup that no program has locked.
  private func removeIfAbandoned(_ partial: URL) {
    guard let lock = PresenceLock(partial.path, waits: false) else { return }
    defer { lock.release() }
    // Another process may already have removed the folder.
    try? FileManager.default.removeItem(at: partial)
  }

  /// Renames a complete folder to the name of a backup. The number in the name follows the highest
  /// number of the backups from the same second.
  private func settle(_ partial: URL, versionPrefix: String) throws -> StoreBackup {
    let date = now()
    let files = FileManager.default
    let second = BackupDate.text(date)
    let last = try list().filter { BackupDate.text($0.date) == second }.map(\.number).max() ?? 0
    for number in 1...Self.mostInOneSecond where number > last {
      let name = StoreBackup.name(
        ofStoreNamed: storeName, date: date, versionPrefix: versionPrefix, number: number)
      let url = folder.appendingPathComponent(name, isDirectory: true)
      if files.fileExists(atPath: url.path) { continue }
      do throws(StoreError) {
        try FileSync.sync(partial.path)
        try FileSync.rename(partial.path, to: url.path)
      } catch {
        // If another process has used the name, the rename fails, because it does not replace a
        // folder that contains files.
        if files.fileExists(atPath: url.path), files.fileExists(atPath: partial.path) { continue }
        throw CocoaError.surfaced(error)
      }
      if let backup = StoreBackup(at: url, ofStoreNamed: storeName) { return backup }
    }
    throw CocoaError(
      .fileWriteFileExists,
      userInfo: [
        NSLocalizedDescriptionKey:
          "All names for a backup at the current time are in use. Check the system clock.",
        NSFilePathErrorKey: folder.path,
      ])
  }

  private static let mostInOneSecond = 1000

  private func versionPrefix(ofStoreAt url: URL) throws -> String {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let checksum = NSManagedObjectModel.checksum(of: hashes)
    return String(checksum.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(8))
  }

  private func removeFolderIfEmpty() {
    let files = FileManager.default
    if (try? files.contentsOfDirectory(atPath: folder.path).isEmpty) == true {
      try? files.removeItem(at: folder)  // An empty folder does no harm.
    }
  }

  // MARK: Restoring and removing

  /// Replaces the store with a copy of a backup and keeps the backup.
  ///
  /// The method first checks the backup. The copy replaces the old store only after the copy is
  /// complete and synchronized to disk. Therefore, even if the process is killed, either the old
  /// store or the complete copy exists.
  ///
  /// - Parameters:
  ///   - backup: The backup to copy.
  ///   - url: The URL of the store to replace; nil to replace the store at ``storeURL``.
  /// - Throws: `CocoaError`, for example with one of the following codes:
  ///   - 259: The backup is damaged.
  ///   - 260: The backup is missing.
  ///   - 134030: The disk is full.
  ///   - 134090: A process has the store open. The error contains the name of the process.
  public func restore(_ backup: StoreBackup, to url: URL? = nil) throws {
    try NSPersistentStoreCoordinator.checkPersistentStore(type: type, at: backup.storeURL)
    try replace(url ?? storeURL, with: backup.storeURL)
  }

  /// Removes a backup.
  ///
  /// If the removal fails or is interrupted, ``list()`` does not return the remaining files as a
  /// backup.
  ///
  /// - Parameter backup: The backup to remove.
  /// - Throws: `CocoaError`, such as 513, if the backup's folder cannot be renamed or removed.
  public func remove(_ backup: StoreBackup) throws {
    // Without the lock, other programs may remove the renamed folder as abandoned.
    let lock = PresenceLock(backup.url.path, waits: true)
    defer { lock?.release() }
    let place = Self.partialURL(in: backup.url.deletingLastPathComponent())
    try FileManager.default.moveItem(at: backup.url, to: place)
    try FileManager.default.removeItem(at: place)
  }

  /// Removes a backup that another call may remove at the same time.
  private func removeIfPresent(_ backup: StoreBackup) throws {
    do { try remove(backup) } catch {
      if FileManager.default.fileExists(atPath: backup.url.path) { throw error }
    }
  }

  /// Removes all but the newest backups.
  ///
  /// - Parameter count: The number of backups to keep. A negative number is treated as 0.
  /// - Throws: `CocoaError`, such as 257 or 513, if the folder cannot be read or a backup cannot be
  ///   removed.
  public func removeAll(butNewest count: Int) throws {
    for backup in try list().dropFirst(max(count, 0)) { try removeIfPresent(backup) }
  }

  private func replace(_ destination: URL, with source: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    let options = [NSPersistentStoreTimeoutOption: timeout as NSNumber]
    try coordinator.replacePersistentStore(
      at: destination, destinationOptions: options, withPersistentStoreFrom: source,
      sourceOptions: options, type: type)
  }
}
