import Foundation
import OpenCoreData
import OpenStoreConformance
import Synchronization
import Testing

/// Reading damaged stores and models throws an error or returns the readable part, without a
/// crash, a hang or unbounded memory.
///
/// A separate process reads the files: other tests do not affect its time and memory, and a crash ends only
/// one test.
///
/// `OPENCOREDATA_FUZZ` says how many files are damaged, 500 by default, and `OPENCOREDATA_FUZZ_SEED` where to
/// begin. `OPENCOREDATA_FUZZ_LIMIT` is the time for one file in seconds, 5 by default. A failure names the file that was begun last.
@Suite("Damaged files", .serialized)
struct DamagedFileTests {
  /// Seeds, with the name of their source, that failed once.
  private static let kept: [(source: String, seed: UInt64)] = [
    // A byte that is no UTF-8 in the name of an XML attribute ended the system's parser.
    ("stores/coredataplus/SampleModel.xcdatamodeld/SampleModel.xcdatamodel/contents", 16),
    // The greatest integer as a row's version had no successor.
    ("stores/swiftdata-resourcesmanager/default.store", 1084),
    // The least integer as the entity number of a to-many relationship's member had no predecessor.
    ("stores/coredataplus/SampleModel2_V1.sqlite", 2084),
    // A damaged archive in a transformable attribute ended the system's unarchiver.
    ("own store", 4095),
    ("stores/plaso/Accounts3.sqlite", 13082),
  ]

  private static let environment = ProcessInfo.processInfo.environment

  @Test("end in typed errors, within 5 seconds and 512 MB")
  func damage() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      try Self.damageFiles()
    }
    guard let result else {
      let file = (try? String(contentsOf: Self.note, encoding: .utf8)) ?? "unknown"
      Issue.record("The last file that was begun: \(file)")
      return
    }
    let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
    print(lines.filter { $0.hasPrefix(Self.mark) }.joined(separator: "\n"))
  }

  /// What the lines for the reader of a run begin with.
  private static let mark = "Damaged files: "

  /// Names the file under way.
  private static let note = FileManager.default.temporaryDirectory.appendingPathComponent(
    "fuzz-seed")

  private static func damageFiles() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let sources = try FuzzSource.all(in: folder)
    let watch = Watch(note: note)
    watch.start()
    defer { watch.stop() }
    let count = environment["OPENCOREDATA_FUZZ"].flatMap { Int($0) } ?? 500
    let first = environment["OPENCOREDATA_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    print("\(mark)\(count), seeds from \(first), sources: \(sources.count)")
    var refused = 0
    let before = Watch.residentBytes()
    for (name, seed) in kept {
      guard let source = sources.first(where: { $0.name == name }) else { continue }
      refused += try run(source, seed, in: folder, watch) ? 1 : 0
    }
    for seed in first..<first + UInt64(count) {
      let source = sources[Int(seed % UInt64(sources.count))]
      refused += try run(source, seed, in: folder, watch) ? 1 : 0
    }
    let growth = Watch.residentBytes() - before
    print("\(mark)refused \(refused) of \(count); memory grew by \(growth >> 20) MB")
    #expect(growth < 512 << 20)
    #expect(refused > 0)
  }

  private static func run(
    _ source: FuzzSource, _ seed: UInt64, in folder: URL, _ watch: Watch
  ) throws -> Bool {
    let work = folder.appendingPathComponent("\(seed)")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: work) }
    let file = work.appendingPathComponent(source.file.lastPathComponent)
    try FileManager.default.copyItem(at: source.file, to: file)
    var log: URL?
    if let original = source.log {
      let copy = URL(fileURLWithPath: file.path + "-wal")
      try FileManager.default.copyItem(at: original, to: copy)
      log = copy
    }
    var damage = Damage(seed: seed)
    if source.kind == .store {
      try damage.apply(toStore: file, log: log)
    } else {
      try damage.apply(to: file)
    }
    watch.begin("\(source.name), seed \(seed)")
    defer { watch.end() }
    return Exercise.run(source.kind, file, original: source)
  }
}

/// Ends the process if one file takes too long, and records the current file.
///
/// Too long is 5 seconds of the processor's time, so that a busy machine is no finding, or two minutes by the clock
/// for a file that waits for something.
private final class Watch: Sendable {
  private struct State {
    var name = ""
    var began: ContinuousClock.Instant?
    /// The processor time of the process at the start of the file, in seconds.
    var used = 0.0
    var isOver = false
  }

  private let state = Mutex(State())
  private let note: URL
  private let limit =
    ProcessInfo.processInfo.environment["OPENCOREDATA_FUZZ_LIMIT"].flatMap { Double($0) } ?? 5

  init(note: URL) { self.note = note }

  func start() {
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        let state = state.withLock { $0 }
        if state.isOver { return }
        guard let began = state.began else { continue }
        guard
          began.duration(to: .now) > .seconds(24 * limit)
            || Self.usedSeconds() - state.used > limit
        else { continue }
        fatalError("\(state.name) took longer than \(limit) seconds.")
      }
    }
  }

  func begin(_ name: String) {
    try? Data(name.utf8).write(to: note)  // only for finding the cause of a crash
    state.withLock { $0 = State(name: name, began: .now, used: Self.usedSeconds()) }
  }

  func end() { state.withLock { $0.began = nil } }
  func stop() { state.withLock { $0.isOver = true } }

  private static func usedSeconds() -> Double {
    Double(clock()) / Double(CLOCKS_PER_SEC)
  }

  static func residentBytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return 0
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
  }
}
