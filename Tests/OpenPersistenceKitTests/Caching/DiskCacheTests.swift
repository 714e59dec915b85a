import Foundation
import OpenPersistenceKit
import Synchronization
import Testing

@Suite("Disk cache")
struct DiskCacheTests {
  /// A clock that tests set.
  final class Clock: Sendable {
    private let seconds = Mutex(1000.0)

    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }
    func advance(_ step: Double) { seconds.withLock { $0 += step } }
  }

  private static func cache(
    _ folder: Folder, _ clock: Clock, timeToLive: Double = .infinity, sizeLimit: Int = 1 << 20
  ) throws -> DiskCache {
    try DiskCache(
      folder: folder.url.appendingPathComponent("cache"), timeToLive: timeToLive,
      sizeLimit: sizeLimit, now: { clock.now })
  }

  @Test("values expire after their lifetime, also values with dates in the future")
  func timeToLive() throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock, timeToLive: 60)
    try cache.setData(Data("one".utf8), forKey: "a")
    clock.advance(59)
    #expect(cache.data(forKey: "a") == Data("one".utf8))
    clock.advance(2)
    #expect(cache.data(forKey: "a") == nil)
    #expect(cache.count == 0)
    try cache.setData(Data("two".utf8), forKey: "a")
    clock.advance(-61)
    #expect(cache.data(forKey: "a") == nil)
    try cache.setData(Data("three".utf8), forKey: "a")
    try cache.setData(Data("four".utf8), forKey: "b")
    clock.advance(30)
    try cache.setData(Data("five".utf8), forKey: "b")
    clock.advance(31)
    #expect(cache.removeExpired() == 1)
    #expect(cache.data(forKey: "b") == Data("five".utf8))
  }

  @Test("the least recently used values are evicted if there are too many bytes")
  func sizeLimit() throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock, sizeLimit: 3500)
    for key in ["a", "b", "c"] {
      try cache.setData(Data(count: 1000), forKey: key)
      clock.advance(10)
    }
    #expect(cache.data(forKey: "a") != nil)
    clock.advance(10)
    try cache.setData(Data(count: 1000), forKey: "d")
    #expect(cache.data(forKey: "b") == nil)
    #expect(cache.data(forKey: "a") != nil && cache.data(forKey: "c") != nil)
    #expect(cache.size <= 3500)
    try cache.setData(Data(count: 4000), forKey: "a")
    #expect(cache.data(forKey: "a") == nil, "larger than the limit by itself")
    cache.removeAll()
    #expect(cache.count == 0 && cache.size == 0)
  }

  @Test(
    "keys can be any text, and never refer to files outside the folder",
    arguments: [
      "", ".", "..", "../../escape", "/etc/passwd", "a/b\0c", "nul", "CON",
      String(repeating: "x", count: 100_000), "😀 \u{202E}gnp.exe", "line\nbreak", "A", "a",
    ])
  func hostileKeys(_ key: String) throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock)
    try cache.setData(Data("other".utf8), forKey: key + " ")
    try cache.setData(Data(key.utf8.prefix(100)), forKey: key)
    #expect(cache.data(forKey: key) == Data(key.utf8.prefix(100)))
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(names.count == 3)
    #expect(names.allSatisfy { $0.hasPrefix("cache") && $0.utf8.count < 100 })
    cache.removeData(forKey: key)
    #expect(cache.data(forKey: key) == nil)
    #expect(cache.count == 1)
  }

  @Test("a truncated or changed file, or a file of another key, is a miss; foreign files stay")
  func damagedFiles() throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock)
    try cache.setData(Data("value".utf8), forKey: "key")
    let place = try #require(Self.files(of: cache).first)
    let whole = try Data(contentsOf: place)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: place)
      #expect(cache.data(forKey: "key") == nil, "cut to \(length) bytes")
      #expect(Self.files(of: cache).isEmpty)
    }
    for position in whole.indices {
      var changed = whole
      changed[position] ^= 1 << UInt8(position % 8)
      try changed.write(to: place)
      #expect(cache.data(forKey: "key") == nil, "byte \(position) changed")
    }
    try (whole + Data([0])).write(to: place)
    #expect(cache.data(forKey: "key") == nil)
    var huge = whole
    huge.replaceSubrange(16..<24, with: Data(repeating: 0xFF, count: 8))
    try huge.write(to: place)
    #expect(cache.data(forKey: "key") == nil)

    try cache.setData(Data("other".utf8), forKey: "other")
    let other = try #require(Self.files(of: cache).first)
    try FileManager.default.moveItem(at: other, to: place)
    #expect(cache.data(forKey: "key") == nil, "the file of another key")

    let foreign = cache.folder.appendingPathComponent("notes.txt")
    try Data("mine".utf8).write(to: foreign)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    #expect(cache.data(forKey: "key") == nil)
    #expect(throws: (any Error).self) { try cache.setData(Data(), forKey: "key") }
    cache.removeAll()
    #expect(try Data(contentsOf: foreign) == Data("mine".utf8))
  }

  private static func files(of cache: DiskCache) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.folder.path)) ?? []
    return names.filter { $0.hasSuffix(".cache") }.map(cache.folder.appendingPathComponent)
  }

  @Test("another cache of the folder finds the values; undecodable values are misses")
  func values() throws {
    struct Page: Codable, Equatable { var title: String }
    let (folder, clock) = (try Folder(), Clock())
    try Self.cache(folder, clock).setValue(Page(title: "One"), forKey: "page")
    let cache = try Self.cache(folder, clock)
    #expect(cache.value(Page.self, forKey: "page") == Page(title: "One"))
    #expect(cache.value([Int].self, forKey: "page") == nil)
    #expect(cache.value(Page.self, forKey: "nothing") == nil)
    #expect(throws: (any Error).self) {
      try DiskCache(folder: URL(fileURLWithPath: "/dev/null/cache"))
    }
    let standard = DiskCache.standardFolder(named: "../My Pages")
    #expect(standard.lastPathComponent == "___My_Pages")
  }

  @Test("only the owner can read the folder and the files")
  func permissions() throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try DiskCache(
      folder: folder.url.appendingPathComponent("outer/cache"), now: { clock.now })
    try cache.setData(Data("secret".utf8), forKey: "key")
    func mode(_ url: URL) throws -> Int? {
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    #expect(try mode(cache.folder) == 0o700)
    #expect(try mode(folder.url.appendingPathComponent("outer")) == 0o700)
    let file = try #require(Self.files(of: cache).first)
    #expect(try mode(file) == 0o600)
    // As an earlier version wrote it.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    #expect(cache.count == 1)
    #expect(try mode(file) == 0o600)
  }

  @Test("a write does not inspect other files, and the limit still applies")
  func writesInLargeFolders() throws {
    let (folder, clock) = (try Folder(), Clock())
    let filler = try Self.cache(folder, clock, sizeLimit: 1 << 20)
    for number in 0..<700 {
      try filler.setData(Data(count: 100), forKey: "\(number)")
      clock.advance(1)
    }
    let limit = filler.size
    let cache = try Self.cache(folder, clock, sizeLimit: limit)
    for number in 700..<1000 {
      try cache.setData(Data(count: 100), forKey: "\(number)")
      clock.advance(1)
    }
    #expect(cache.folderReadings == 1)
    #expect(cache.size <= limit && cache.count >= 690)
    #expect(cache.data(forKey: "299") == nil && cache.data(forKey: "320") != nil)
    for _ in 0..<600 { try cache.setData(Data(count: 100), forKey: "again") }
    #expect(cache.folderReadings == 2, "other programs may have written to the folder")
  }

  @Test("partially written files of a killed program are deleted, files being written are not")
  func abandonedFiles() throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock)
    let left = cache.folder.appendingPathComponent("\(UUID().uuidString).partial")
    try Data(count: 10_000).write(to: left)
    let written = cache.folder.appendingPathComponent("\(UUID().uuidString).partial")
    try Data(count: 10_000).write(to: written)
    let writer = try FileHandle(forReadingFrom: written)
    flock(writer.fileDescriptor, LOCK_EX | LOCK_NB)
    try cache.setData(Data("value".utf8), forKey: "key")
    #expect(!FileManager.default.fileExists(atPath: left.path))
    #expect(FileManager.default.fileExists(atPath: written.path))
    try writer.close()
    cache.removeExpired()
    #expect(!FileManager.default.fileExists(atPath: written.path))
    #expect(cache.data(forKey: "key") == Data("value".utf8))
  }

  @Test("a write that fails leaves the old value and no other file")
  func failedWrite() throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock)
    try cache.setData(Data("old".utf8), forKey: "key")
    let place = try #require(Self.files(of: cache).first)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    #expect(throws: CocoaError.self) { try cache.setData(Data("new".utf8), forKey: "key") }
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    #expect(names == [place.lastPathComponent])
  }

  @Test("the cache recreates a deleted folder; a pipe or link in it is a miss")
  func changedFolder() throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock)
    try cache.setData(Data("value".utf8), forKey: "key")
    let place = try #require(Self.files(of: cache).first)
    try FileManager.default.removeItem(at: cache.folder)
    #expect(cache.data(forKey: "key") == nil && cache.count == 0)
    try cache.setData(Data("again".utf8), forKey: "key")
    #expect(cache.data(forKey: "key") == Data("again".utf8))

    try FileManager.default.removeItem(at: place)
    mkfifo(place.path, 0o600)
    #expect(cache.data(forKey: "key") == nil)
    try cache.setData(Data("third".utf8), forKey: "key")
    #expect(cache.data(forKey: "key") == Data("third".utf8))
    let secret = folder.url.appendingPathComponent("secret")
    try FileManager.default.moveItem(at: place, to: secret)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: secret)
    #expect(cache.data(forKey: "key") == nil)
  }

  @Test("many concurrent tasks: every value is complete, and the limit applies")
  func concurrency() async throws {
    let (folder, clock) = (try Folder(), Clock())
    let cache = try Self.cache(folder, clock, sizeLimit: 40_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for step in 0..<150 {
            let key = "\((task * 7 + step) % 60)"
            try cache.setData(Data(repeating: UInt8(step), count: 1000), forKey: key)
            let data = cache.data(forKey: "\(step % 60)")
            #expect(data == nil || data.map { Set($0).count == 1 && $0.count == 1000 } == true)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(cache.size <= 40_000 && cache.count > 30)
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder.path)
    #expect(names.allSatisfy { $0.hasSuffix(".cache") })
  }

  @Test("a clock that is far off or no number does no harm")
  func oddClocks() throws {
    let folder = try Folder()
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      let cache = try DiskCache(
        folder: folder.url.appendingPathComponent("cache"),
        now: { Date(timeIntervalSinceReferenceDate: seconds) })
      try cache.setData(Data("value".utf8), forKey: "key")
      _ = cache.data(forKey: "key")
      cache.removeExpired()
    }
  }
}
