#if os(Linux)
  import Foundation
  import ProcessModel
  import Testing

  /// Power losses, simulated from a recording of all operations on a store's files.
  ///
  /// A disk keeps what was synchronized. Of all else any sectors of 512 bytes may be lost; a name that was removed is gone at
  /// once. `OPENCOREDATA_CRASH_IMAGES` says how many disks are made for each setting, 300 by default,
  /// and `OPENCOREDATA_CRASH_SEED` where to begin. A failure names the seed of its recording and the operation after which
  /// the power was lost.
  @Suite("Stores after a loss of power", .serialized)
  struct CrashImageTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["OPENCOREDATA_CRASH_IMAGES"].flatMap(Int.init) ?? 300
    private static let seed = environment["OPENCOREDATA_CRASH_SEED"].flatMap(UInt64.init) ?? 1
    /// Disks generated from one recording.
    private static let perRecording = 1000
    private static let saves = 120

    /// A process's work, recorded.
    private final class Recording {
      let seed: UInt64
      let folder: URL
      let root: String
      let log: CrashLog
      /// The contents after each save.
      let states: [String]

      init(_ synchronous: String, seed: UInt64) throws {
        self.seed = seed
        folder = FileManager.default.temporaryDirectory
          .appendingPathComponent("crash-\(UUID().uuidString)").resolvingSymlinksInPath()
        let store = folder.appendingPathComponent("store")
        let file = folder.appendingPathComponent("log")
        let files = FileManager.default
        try files.createDirectory(at: store, withIntermediateDirectories: true)
        root = store.path
        try Self.run([root, file.path, synchronous, "\(seed)", "\(CrashImageTests.saves)"])
        log = try CrashLog(at: file)
        states = log.operations.compactMap { operation in
          guard case .mark(let state) = operation else { return nil }
          return state
        }
        try files.removeItem(at: store)
        try files.removeItem(at: file)
      }

      deinit { try? FileManager.default.removeItem(at: folder) }

      private static func run(_ arguments: [String]) throws {
        let process = Process()
        let answers = Pipe()
        process.executableURL = ChildProcess.program(named: "opencoredata-crash")
        process.arguments = arguments
        process.standardOutput = answers
        try process.run()
        let answer = try answers.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
          throw ChildProcess.Failure(description: String(decoding: answer, as: UTF8.self))
        }
      }
    }

    @Test(
      "have whole saves only, and the file of every value", arguments: ["NORMAL", "FULL"])
    func images(synchronous: String) throws {
      var (found, made, number): ([String], Int, UInt64) = ([], 0, 0)
      let start = ContinuousClock.now
      while made < Self.count, found.count < 10 {
        let recording = try Recording(synchronous, seed: Self.seed + number)
        let count = min(Self.perRecording, Self.count - made)
        found += try Self.findings(recording, count, losesSaves: synchronous == "NORMAL")
        made += count
        number += 1
      }
      print("\(made) disks, synchronous=\(synchronous), in \(ContinuousClock.now - start)")
      for finding in found.prefix(10) { Issue.record("\(finding)") }
    }

    @Test(
      "are found to be damaged where nothing is synchronized, so that these tests see something")
    func unsynchronized() throws {
      let recording = try Recording("OFF", seed: Self.seed)
      #expect(try !Self.findings(recording, 300, losesSaves: true).isEmpty)
    }

    /// Generates disks from a recording, and reports the errors in them.
    private static func findings(
      _ recording: Recording, _ count: Int, losesSaves: Bool
    ) throws -> [String] {
      let operations = recording.log.operations
      #expect(recording.states.count == saves)
      var numbers = SeededRandom(seed: recording.seed)
      let moments = moments(of: operations, count, using: &numbers)
      let check = CrashCheck(
        root: recording.root, states: recording.states, folder: fastFolder(recording))
      defer { try? FileManager.default.removeItem(at: fastFolder(recording)) }
      try FileManager.default.createDirectory(
        at: fastFolder(recording), withIntermediateDirectories: true)
      let disk = CrashDisk()
      var (saved, next) = (0, 0)
      var findings: [String] = []
      for (position, operation) in operations.enumerated() {
        disk.apply(operation)
        if case .mark = operation { saved += 1 }
        while next < moments.count, moments[next] == position {
          next += 1
          let image = disk.image(using: &numbers)
          do {
            // The current save may already be stored.
            try check.require((losesSaves ? 0 : saved)...min(saved + 1, saves), on: image)
          } catch let finding as CrashCheck.Finding {
            findings.append(
              "seed \(recording.seed), operation \(position), disk \(next): \(finding)")
          }
        }
      }
      return findings
    }

    /// The times of the power losses: after any operation, or after operations that allow losses,
    /// in order.
    private static func moments(
      of operations: [CrashLog.Operation], _ count: Int, using numbers: inout SeededRandom
    ) -> [Int] {
      let special = operations.indices.filter { index in
        if case .remove = operations[index] { return true }
        guard index + 1 < operations.count, case .synchronize = operations[index + 1] else {
          return false
        }
        return true
      }
      return (0..<count).map { number in
        number.isMultiple(of: 2)
          ? Int.random(in: 0..<operations.count, using: &numbers)
          : special[Int.random(in: 0..<special.count, using: &numbers)]
      }.sorted()
    }

    /// A folder in memory if there is one, because each disk is deleted right after its test.
    private static func fastFolder(_ recording: Recording) -> URL {
      let name = recording.folder.lastPathComponent
      let memory = "/dev/shm"
      return FileManager.default.isWritableFile(atPath: memory)
        ? URL(fileURLWithPath: memory).appendingPathComponent(name)
        : recording.folder.appendingPathComponent("disk")
    }
  }
#endif
