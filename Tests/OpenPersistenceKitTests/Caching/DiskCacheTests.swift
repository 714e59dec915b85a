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

  @Test("values are good for their time, and gone after it; also those from the future")
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

  @Test("what was used longest ago goes when there are too many bytes")
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
    "keys may be any text, and never leave the folder",
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

  @Test("a file that is cut anywhere, or of another key, is a miss; foreign files stay")
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

  @Test("another cache of the folder finds the values; what cannot be decoded is a miss")
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
}
