public import Foundation
internal import OpenObjectModel
internal import Synchronization

/// Data in files that can be made again: each for a time, and not more than a number of bytes.
///
/// A file is whole or not there; one that is cut, or of another key, is a miss and is deleted. Keys may be any text:
/// file names are made from their digests. Other files in the folder are left alone. Several programs may share a folder.
///
/// > Concurrency: Shared. Calls wait for each other and for the disk.
public final class DiskCache: Sendable {
  /// The folder with the files.
  public let folder: URL
  /// Seconds for which a value is good.
  public let timeToLive: TimeInterval
  /// Greatest number of bytes of all files.
  public let sizeLimit: Int
  private let now: @Sendable () -> Date
  private let access = Mutex(())

  /// Opens a cache, and makes its folder when there is none.
  ///
  /// - Parameters:
  ///   - folder: A folder for this cache alone.
  ///   - timeToLive: Seconds for which a value is good; infinite for ever.
  ///   - sizeLimit: Greatest number of bytes of all files.
  ///   - now: The clock.
  /// - Throws: What making the folder throws.
  public init(
    folder: URL, timeToLive: TimeInterval = .infinity, sizeLimit: Int = 100 << 20,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.folder = folder
    self.timeToLive = timeToLive
    self.sizeLimit = max(0, sizeLimit)
    self.now = now
  }

  /// The folder of a cache's name in the user's cache folder, `$XDG_CACHE_HOME` or `~/.cache`.
  ///
  /// - Parameter name: The cache's name; characters that do not belong in file names become `_`.
  public static func standardFolder(named name: String) -> URL {
    let environment = ProcessInfo.processInfo.environment
    let base =
      environment["XDG_CACHE_HOME"].map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache")
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
    let safe = String(
      String.UnicodeScalarView(name.unicodeScalars.map { allowed.contains($0) ? $0 : "_" }))
    return base.appendingPathComponent(ProcessInfo.processInfo.processName)
      .appendingPathComponent(safe.isEmpty ? "_" : safe)
  }

  /// The data of a key; nil when there is none that is good.
  ///
  /// It counts as used now.
  public func data(forKey key: String) -> Data? {
    let instant = now()
    return access.withLock { _ in
      let file = file(of: key)
      // Missing, or gone since: a miss.
      guard let content = try? Data(contentsOf: file) else { return nil }
      guard let entry = DiskCacheEntry(content), entry.key == key, isGood(entry, instant) else {
        remove(file)
        return nil
      }
      note(instant, on: file)
      return entry.data
    }
  }

  /// Keeps data, and deletes what was used longest ago until the limit holds.
  ///
  /// Data that is larger than the limit by itself is not kept, and the key has none then.
  ///
  /// - Parameters:
  ///   - data: The data; it replaces that of the same key.
  ///   - key: Any text.
  /// - Throws: What writing the file throws; the key has its old data then.
  public func setData(_ data: Data, forKey key: String) throws {
    let instant = now()
    let content = DiskCacheEntry(key: key, created: instant, data: data).content
    try access.withLock { _ in
      let file = file(of: key)
      guard content.count <= sizeLimit else { return remove(file) }
      try content.write(to: file, options: .atomic)
      note(instant, on: file)
      shrink(keeping: file)
    }
  }

  /// Deletes the data of a key.
  public func removeData(forKey key: String) { access.withLock { _ in remove(file(of: key)) } }

  /// Deletes all data.
  public func removeAll() { access.withLock { _ in files().forEach { remove($0.url) } } }

  /// Deletes the data that is too old, and files that are cut.
  ///
  /// - Returns: The number of deleted files.
  @discardableResult
  public func removeExpired() -> Int {
    let instant = now()
    return access.withLock { _ in
      let expired = files().filter { file in
        // Gone since, or unreadable: nothing that could be used.
        let entry = (try? Data(contentsOf: file.url)).flatMap(DiskCacheEntry.init)
        return entry.map { !isGood($0, instant) } ?? true
      }
      expired.forEach { remove($0.url) }
      return expired.count
    }
  }

  /// Bytes of all files.
  public var size: Int { access.withLock { _ in files().reduce(0) { $0 + $1.size } } }
  /// Number of files.
  public var count: Int { access.withLock { _ in files().count } }

  // MARK: Files

  private static let ending = "cache"

  private func file(of key: String) -> URL {
    let digest = SHA2.hash256(Array(key.utf8)).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return folder.appendingPathComponent(digest.joined()).appendingPathExtension(Self.ending)
  }

  /// A value from the future is as bad as one from the past: the clock was wrong then, or is now.
  private func isGood(_ entry: DiskCacheEntry, _ instant: Date) -> Bool {
    abs(instant.timeIntervalSince(entry.created)) < timeToLive
  }

  private func note(_ instant: Date, on file: URL) {
    // Only the order of deletion depends on it.
    try? FileManager.default.setAttributes([.modificationDate: instant], ofItemAtPath: file.path)
  }

  private func remove(_ file: URL) {
    // Gone already, or not to be deleted by us; then it stays a miss.
    try? FileManager.default.removeItem(at: file)
  }

  private struct CachedFile {
    var url: URL
    var size: Int
    var used: Date
  }

  private func files() -> [CachedFile] {
    // A folder that cannot be read has nothing to offer.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name in
      let url = folder.appendingPathComponent(name)
      guard name.utf8.count == 64 + 1 + Self.ending.utf8.count, url.pathExtension == Self.ending,
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      else { return nil }
      return CachedFile(
        url: url, size: (attributes[.size] as? NSNumber)?.intValue ?? 0,
        used: attributes[.modificationDate] as? Date ?? .distantPast)
    }
  }

  private func shrink(keeping newest: URL) {
    let files = files()
    var total = files.reduce(0) { $0 + $1.size }
    guard total > sizeLimit else { return }
    let oldestFirst = files.sorted {
      ($0.used, $0.url.lastPathComponent) < ($1.used, $1.url.lastPathComponent)
    }
    for file in oldestFirst
    where total > sizeLimit && file.url.lastPathComponent != newest.lastPathComponent {
      remove(file.url)
      total -= file.size
    }
  }
}

extension DiskCache {
  /// The value of a key, decoded; nil when there is none that is good, or it is of another type.
  ///
  /// - Parameters:
  ///   - type: The value's type.
  ///   - key: Any text.
  public func value<Value: Decodable>(_ type: Value.Type = Value.self, forKey key: String) -> Value?
  {
    // Data that cannot be decoded was written by another version of the program: a miss.
    data(forKey: key).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }

  /// Keeps a value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value; it replaces that of the same key.
  ///   - key: Any text.
  /// - Throws: What encoding or writing throws.
  public func setValue(_ value: some Encodable, forKey key: String) throws {
    try setData(JSONEncoder().encode(value), forKey: key)
  }
}
