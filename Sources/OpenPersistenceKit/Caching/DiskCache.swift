public import Foundation
internal import OpenCoreData
internal import Synchronization

/// A cache that stores data in files and limits the age and the total size of the files.
///
/// A key can be any string, because file names are digests of the keys. If a file is truncated,
/// damaged or expired, a lookup is a cache miss, and the cache deletes the file. The cache does not
/// change other files in the folder. Only the user who owns the files can read the files.
///
/// Several programs may use the same folder. A program finds the files of the other programs only
/// when it reads the folder again, which happens after 256 or more of its writes. Until then, the
/// files together may exceed the size limit.
///
/// > Concurrency: A class that threads may share. The cache does not hold a lock while it reads or
/// > writes the contents of files.
public final class DiskCache: Sendable {
  /// The folder that contains the files.
  public let folder: URL
  /// The time, in seconds, after which a value expires; infinity if values never expire. With a
  /// time of 0 or less, every value is expired.
  ///
  /// A value whose date is at least this far in the future also counts as expired, because the date
  /// comes from a wrong clock.
  public let timeToLive: TimeInterval
  /// The maximum total size of all files, in bytes.
  public let sizeLimit: Int
  private let now: @Sendable () -> Date
  private let files: DiskCacheFolder
  /// The index of the files. Its lock is held while files are renamed or deleted, so that the index
  /// matches the folder.
  private let index = Mutex(DiskCacheIndex())

  /// Opens a cache, and creates the cache's folder if the folder does not exist.
  ///
  /// Only the current user can access a folder that the initializer creates.
  ///
  /// - Parameters:
  ///   - folder: The folder for the files of the cache.
  ///   - timeToLive: The time, in seconds, after which a value expires; infinity if values never
  ///     expire. With a time of 0 or less, every value is expired.
  ///   - sizeLimit: The maximum total size of all files, in bytes. A negative value is treated as
  ///     0.
  ///   - now: A closure that returns the current date, from which the cache computes the age of
  ///     values.
  /// - Throws: `CocoaError`, such as 513, if the folder cannot be created.
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

  /// Returns the URL of the standard folder for a cache with the given name.
  ///
  /// The path of the folder consists of the user's cache folder, the name of the process and the
  /// name of the cache. The user's cache folder is `$XDG_CACHE_HOME` or `~/.cache`. The method
  /// ignores an empty or relative value of `XDG_CACHE_HOME`, as the XDG base directory
  /// specification requires.
  ///
  /// - Parameter name: The cache's name. Characters other than letters, digits, `-` and `_` are
  ///   replaced by `_`. An empty name becomes `_`.
  /// - Returns: The URL of the folder, which may not exist yet.
  public static func standardFolder(named name: String) -> URL {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    let safe = String(
      String.UnicodeScalarView(name.unicodeScalars.map { allowed.contains($0) ? $0 : "_" }))
    return UserFolders.cache.appendingPathComponent(ProcessInfo.processInfo.processName)
      .appendingPathComponent(safe.isEmpty ? "_" : safe)
  }

  /// Returns the data for a key, and marks the data as recently used.
  ///
  /// - Parameter key: The key, which can be any string.
  /// - Returns: The data; nil if the cache has no data for the key, or if the data is expired or
  ///   damaged.
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

  /// Stores data for a key, and deletes the least recently used data until the cache is within
  /// ``sizeLimit``.
  ///
  /// If the new file alone would exceed the limit, the method does not store the data, and deletes
  /// existing data for the key.
  ///
  /// - Parameters:
  ///   - data: The data, which replaces existing data for the key.
  ///   - key: The key, which can be any string.
  /// - Throws: `CocoaError` if the file cannot be written, such as 640 if the disk is full, or 513
  ///   if access is denied. The cache then keeps existing data for the key.
  /// - Complexity: O(*n*) in the size of the data on average, independent of the number of files.
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

  /// Deletes the data for a key, if there is any.
  ///
  /// - Parameter key: The key, which can be any string.
  public func removeData(forKey key: String) { remove(DiskCacheFolder.name(of: key)) }

  /// Deletes all data. The method ignores errors, so files that cannot be deleted remain.
  public func removeAll() {
    index.withLock { index in
      for file in files.files() { files.remove(file.name) }
      index.removeAll()
    }
  }

  /// Deletes files whose data is expired, truncated, damaged or unreadable.
  ///
  /// - Returns: The number of deleted files.
  @discardableResult
  public func removeExpired() -> Int {
    let instant = now()
    var count = 0
    for file in files.files() where !isGood(file.name, instant) {
      if removeUnless(file.name, { isGood(file.name, instant) }) { count += 1 }
    }
    return count
  }

  /// The size of all files, in bytes. Reading the property examines every file.
  public var size: Int { files.files().reduce(0) { $0 + $1.size } }
  /// The number of files. Reading the property examines every file.
  public var count: Int { files.files().count }

  /// The number of times that a write has examined every file.
  package var folderReadings: Int { index.withLock { $0.readings } }

  // MARK: Files

  private func goodEntry(_ content: Data, _ key: String, _ instant: Date) -> DiskCacheEntry? {
    guard let entry = DiskCacheEntry(content), entry.key == key, isGood(entry, instant) else {
      return nil
    }
    return entry
  }

  /// Returns whether an entry is neither expired nor dated too far in the future. An entry with
  /// such a future date is invalid, because the clock is or was wrong.
  private func isGood(_ entry: DiskCacheEntry, _ instant: Date) -> Bool {
    abs(instant.timeIntervalSince(entry.created)) < timeToLive
  }

  /// Returns whether a file contains a valid entry. The result is false for a file that is missing
  /// or cannot be read.
  private func isGood(_ name: String, _ instant: Date) -> Bool {
    let entry = files.content(of: name).flatMap(DiskCacheEntry.init)
    return entry.map { isGood($0, instant) } ?? false
  }

  private func remove(_ name: String) { removeUnless(name) { false } }

  /// Deletes a file unless a valid file has replaced it.
  ///
  /// - Returns: Whether the file was deleted.
  @discardableResult
  private func removeUnless(_ name: String, _ isUseful: () -> Bool) -> Bool {
    index.withLock { index in
      if isUseful() { return false }
      index.remove(name)
      return files.remove(name)
    }
  }
}

extension DiskCache {
  /// Returns the value for a key, decoded from JSON.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - key: The key, which can be any string.
  /// - Returns: The value; nil if the cache has no valid data for the key, or if the data cannot be
  ///   decoded as `type`.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self, forKey key: String) -> Value?
  {
    // Data that cannot be decoded was written by another version of the program: a miss.
    data(forKey: key).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  /// Stores a value for a key, encoded as JSON.
  ///
  /// If the new file alone would exceed ``sizeLimit``, the method does not store the value, and
  /// deletes an existing value for the key.
  ///
  /// - Parameters:
  ///   - value: The value, which replaces an existing value for the key.
  ///   - key: The key, which can be any string.
  /// - Throws: An `EncodingError` if the value cannot be encoded, or an error that
  ///   ``setData(_:forKey:)`` throws.
  public func setValue(_ value: some Encodable, forKey key: String) throws {
    try setData(JSONEncoder().encode(value), forKey: key)
  }
}
