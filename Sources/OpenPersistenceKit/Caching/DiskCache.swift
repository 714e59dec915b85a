public import Foundation
internal import OpenCoreData
internal import Synchronization

/// A cache of data in files, limited by the age of each file and the total number of bytes.
///
/// A file is complete or absent; a truncated file, or the file of another key, is a cache miss and is deleted. Keys
/// may be any text: file names are digests of the keys. Other files in the folder are not changed. Only the user can
/// read the files. Several programs may share a folder; each checks for files of the other programs at intervals, so
/// together they may temporarily exceed the limit.
///
/// > Concurrency: Shared. Values are read and written without holding a lock.
public final class DiskCache: Sendable {
  /// The folder with the files.
  public let folder: URL
  /// The time in seconds after which a value expires.
  public let timeToLive: TimeInterval
  /// The maximum number of bytes of all files.
  public let sizeLimit: Int
  private let now: @Sendable () -> Date
  private let files: DiskCacheFolder
  /// Held while files get their names or are deleted, so that the index is true.
  private let index = Mutex(DiskCacheIndex())

  /// Opens a cache, and creates its folder if necessary, with access for the user only.
  ///
  /// - Parameters:
  ///   - folder: A folder for this cache alone.
  ///   - timeToLive: The time in seconds after which a value expires; infinity if values never expire.
  ///   - sizeLimit: The maximum number of bytes of all files.
  ///   - now: Returns the current date.
  /// - Throws: The error of creating the folder.
  public init(
    folder: URL, timeToLive: TimeInterval = .infinity, sizeLimit: Int = 100 << 20,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    files = try DiskCacheFolder(folder)
    self.folder = folder
    self.timeToLive = timeToLive
    self.sizeLimit = max(0, sizeLimit)
    self.now = now
  }

  /// The folder of a cache's name in the user's cache folder, `$XDG_CACHE_HOME` or `~/.cache`.
  ///
  /// An empty or relative value of the variable is ignored, as the XDG base directory specification requires.
  ///
  /// - Parameter name: The cache's name; characters not allowed in file names become `_`.
  /// - Returns: The folder of a cache's name in the user's cache folder, `$XDG_CACHE_HOME` or `~/.cache`.
  public static func standardFolder(named name: String) -> URL {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    let safe = String(
      String.UnicodeScalarView(name.unicodeScalars.map { allowed.contains($0) ? $0 : "_" }))
    return UserFolders.cache.appendingPathComponent(ProcessInfo.processInfo.processName)
      .appendingPathComponent(safe.isEmpty ? "_" : safe)
  }

  /// The data of a key; nil if there is no valid data.
  ///
  /// Marks the data as recently used.
  ///
  /// - Returns: The data of a key; nil if there is no valid data.
  public func data(forKey key: String) -> Data? {
    let instant = now()
    let name = DiskCacheFolder.name(of: key)
    guard let content = files.content(of: name) else { return nil }
    guard let entry = goodEntry(content, key, instant) else {
      removeUnless(name) {
        files.content(of: name).flatMap { goodEntry($0, key, instant) } != nil
      }
      return nil
    }
    files.note(instant, on: name)
    index.withLock { $0.use(name) }
    return entry.data
  }

  /// Stores data, and deletes the least recently used data until the cache is within its limit.
  ///
  /// Data larger than the limit is not stored, and the data of the key is removed.
  ///
  /// - Parameters:
  ///   - data: The data; it replaces that of the same key.
  ///   - key: Any text.
  /// - Throws: `CocoaError` if the file cannot be written; the key then keeps its old data.
  /// - Complexity: Constant on average, independent of the number of files.
  public func setData(_ data: Data, forKey key: String) throws {
    let instant = now()
    let name = DiskCacheFolder.name(of: key)
    let content = DiskCacheEntry(key: key, created: instant, data: data).content
    guard content.count <= sizeLimit else { return remove(name) }
    let file = try files.write(content, used: instant)
    try index.withLock { index in
      try file.publish(as: name)
      index.note(name, size: content.count, in: files, limit: sizeLimit)
    }
  }

  /// Deletes the data of a key.
  public func removeData(forKey key: String) { remove(DiskCacheFolder.name(of: key)) }

  /// Deletes all data.
  public func removeAll() {
    index.withLock { index in
      for file in files.files() { files.remove(file.name) }
      index.removeAll()
    }
  }

  /// Deletes expired data and truncated files.
  ///
  /// - Returns: The number of deleted files.
  @discardableResult
  public func removeExpired() -> Int {
    let instant = now()
    var count = 0
    for file in files.files() where !isGood(file.name, instant) {
      removeUnless(file.name) { isGood(file.name, instant) }
      count += 1
    }
    return count
  }

  /// The size of all files, in bytes; examines every file.
  public var size: Int { files.files().reduce(0) { $0 + $1.size } }
  /// The number of files; examines every file.
  public var count: Int { files.files().count }

  /// How often a write had to look at every file.
  package var folderReadings: Int { index.withLock { $0.readings } }

  // MARK: Files

  private func goodEntry(_ content: Data, _ key: String, _ instant: Date) -> DiskCacheEntry? {
    guard let entry = DiskCacheEntry(content), entry.key == key, isGood(entry, instant) else {
      return nil
    }
    return entry
  }

  /// A value from the future is as bad as one from the past: the clock was wrong then, or is now.
  private func isGood(_ entry: DiskCacheEntry, _ instant: Date) -> Bool {
    abs(instant.timeIntervalSince(entry.created)) < timeToLive
  }

  /// Whether a file holds a value; one that is gone or cannot be read holds nothing that could be used.
  private func isGood(_ name: String, _ instant: Date) -> Bool {
    let entry = files.content(of: name).flatMap(DiskCacheEntry.init)
    return entry.map { isGood($0, instant) } ?? false
  }

  private func remove(_ name: String) { removeUnless(name) { false } }

  /// Deletes a file, unless a good one took its place meanwhile.
  private func removeUnless(_ name: String, _ isUseful: () -> Bool) {
    index.withLock { index in
      if isUseful() { return }
      files.remove(name)
      index.remove(name)
    }
  }
}

extension DiskCache {
  /// The decoded value of a key; nil if there is no valid value, or it has another type.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - key: Any text.
  /// - Returns: The value of a key; nil if there is no valid value, or it has another type.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self, forKey key: String) -> Value?
  {
    // Data that cannot be decoded was written by another version of the program: a miss.
    data(forKey: key).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  /// Stores a value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value; it replaces that of the same key.
  ///   - key: Any text.
  /// - Throws: The error of encoding or writing.
  public func setValue(_ value: some Encodable, forKey key: String) throws {
    try setData(JSONEncoder().encode(value), forKey: key)
  }
}
