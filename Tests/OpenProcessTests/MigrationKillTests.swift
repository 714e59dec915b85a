import Foundation
import OpenCoreData
import OpenSQLiteStore
import OpenStoreContract
import ProcessModel
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Processes that are killed while they migrate, or find the disk full", .serialized)
struct MigrationKillTests {
  /// Number of kills of each way; the long run sets it.
  private static var kills: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_KILLS"].flatMap(Int.init) ?? 15
  }
  /// Number of sizes at which the disk is full; the long run sets it.
  private static var diskSteps: Int {
    ProcessInfo.processInfo.environment["OPENCOREDATA_DISK_STEPS"].flatMap(Int.init) ?? 3
  }
  private let rowCount = 20_000

  @Test("the store is intact, in the old or the new version", arguments: ["inPlace", "copy"])
  func kills(_ way: String) throws {
    let seed = UInt64.random(in: 1...1_000_000)
    print("Seed: \(seed)")
    var numbers = SeededRandom(seed: seed)
    let original = try SharedStore.old(rowCount: rowCount)
    let whole = try original.copy()
    let start = ContinuousClock.now
    #expect(try ChildProcess().ask("migrate \(whole.url.path) \(way)") == "migrated")
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    #expect(try whole.wholeVersion(rowCount: rowCount) == .next)
    var migrated = 0
    for _ in 0..<Self.kills {
      let store = try original.copy()
      let process = try ChildProcess()
      try process.send("migrate \(store.url.path) \(way)")
      usleep(useconds_t.random(in: 0...useconds_t(duration), using: &numbers))
      process.kill()
      if try store.wholeVersion(rowCount: rowCount) == .next { migrated += 1 }
    }
    print("\(way): \(Self.kills) kills, \(migrated) migrated")
  }

  @Test(
    "object by object, the store is the old or the new one, and the migration continues from there")
  func killsByObjects() throws {
    let rowCount = 1_500
    let seed = UInt64.random(in: 1...1_000_000)
    print("Seed: \(seed)")
    var numbers = SeededRandom(seed: seed)
    let original = try SharedStore.old(rowCount: rowCount)
    let whole = try original.copy()
    let start = ContinuousClock.now
    #expect(try ChildProcess().ask("migrate \(whole.url.path) objects") == "migrated")
    let duration = (ContinuousClock.now - start) / .microseconds(1)
    #expect(try whole.wholeVersion(rowCount: rowCount) == .next)
    for _ in 0..<Self.kills {
      let store = try original.copy()
      let process = try ChildProcess()
      try process.send("migrate \(store.url.path) objects")
      usleep(useconds_t.random(in: 0...useconds_t(duration), using: &numbers))
      process.kill()
      _ = try store.wholeVersion(rowCount: rowCount, leftovers: [SharedStore.migrationState])
      #expect(try ChildProcess().ask("migrate \(store.url.path) objects") == "migrated")
      #expect(try store.wholeVersion(rowCount: rowCount) == .next)
    }
  }

  @Test(
    "the next opening deletes the copy of a process that was killed before it replaced the store")
  func unfinishedCopy() throws {
    let store = try SharedStore.old(rowCount: 10)
    for suffix in ["", "-journal"] {
      let name = ".shared.sqlite.copying-C68956DA-90D3-4A4E-8314-E8E0583BEF51" + suffix
      try Data("unfinished".utf8).write(to: store.folder.appendingPathComponent(name))
    }
    #expect(try store.wholeVersion(rowCount: 10) == .old)
  }

  @Test("during a migration, other processes wait or get an error that names the process")
  func others() throws {
    let store = try SharedStore.old(rowCount: 20_000)
    let process = try ChildProcess()
    try process.send("migrate \(store.url.path) objects")
    var configuration = StoreConfiguration(url: store.url)
    configuration.timeout = 0
    configuration.tracksHistory = true
    let model = try ProcessModel.make().compiled()
    var error: StoreError?
    // Until the process has taken the lock, the store can be opened.
    for _ in 0..<20_000 where error == nil {
      do {
        try SQLiteStore.open(configuration, model: model).close()
        usleep(1000)
      } catch let failure {
        error = failure
      }
    }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("opencoredata-process") == true, "\(error?.message ?? "")")
    process.kill()
    _ = try store.wholeVersion(rowCount: 20_000, leftovers: [SharedStore.migrationState])
  }

  @Test(
    "a full disk leaves the old store, and the migration succeeds once there is room",
    arguments: ["inPlace", "copy"])
  func fullDisk(_ way: String) throws {
    let original = try SharedStore.old(rowCount: rowCount)
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: original.url.path)[.size] as? Int)
    let steps = max(Self.diskSteps, 2)
    let limits = (0...steps).map { 8_192 + $0 * (size + 8_192) / steps }
    for limit in limits.dropLast() {
      let store = try original.copy()
      let process = try ChildProcess()
      #expect(try process.ask("limit \(limit)") == "limited")
      let answer = try process.ask("migrate \(store.url.path) \(way)")
      #expect(answer.hasPrefix("error"), "\(limit): \(answer)")
      #expect(try store.wholeVersion(rowCount: rowCount) == .old)
      #expect(try process.ask("limit -1") == "limited")
      #expect(try process.ask("migrate \(store.url.path) \(way)") == "migrated")
      #expect(try store.wholeVersion(rowCount: rowCount) == .next)
    }
  }
}
