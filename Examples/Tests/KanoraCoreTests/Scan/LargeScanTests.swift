import AudioFiles
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import OpenTestSupport
import Synchronization
import Testing

/// Memory while very many files are brought in.
@Suite("Large scans", .serialized)
struct LargeScanTests {
  /// The number of files; 50,000 take a few minutes in a debug build.
  private static var fileCount: Int {
    Int(ProcessInfo.processInfo.environment["KANORA_TRACKS"] ?? "") ?? 1_200
  }

  @Test("memory does not grow with the number of files")
  func flatMemory() async throws {
    let trial = try ScanTrial(isRecording: false)
    let count = Self.fileCount
    for number in 0..<count {
      let album = number / 12
      try trial.write(
        "\(album % 500)/\(album)/\(number).mp3", "Artist \(album / 5)", "Album \(album)",
        "T\(number)")
    }
    let library = try await trial.scanner.library(at: trial.music)
    let samples = Samples()
    let start = ContinuousClock.now
    let report = try await trial.scanner.scan(library) { progress in
      if progress.phase == .reading { samples.add(progress) }
    }
    let time = ContinuousClock.now - start
    #expect(report.newCount == count)
    let rescanStart = ContinuousClock.now
    #expect(try await trial.scanner.scan(library).unchangedCount == count)
    let sizes = samples.all
    print(
      "scan of \(count): \(time), rescan \(ContinuousClock.now - rescanStart), megabytes \(sizes)")
    #expect(try trial.count("Track") == count)
    // From the first tenth to the end.
    let early = try #require(sizes.dropFirst(sizes.count / 10).first)
    let last = try #require(sizes.last)
    #expect(last - early < 40 + Double(count) / 1_000, "\(sizes)")
  }
}

/// The memory that the process holds in megabytes, taken twenty times during a scan.
private final class Samples: Sendable {
  private let sizes = Mutex<[Double]>([])

  var all: [Double] { sizes.withLock { $0 } }

  func add(_ progress: ScanProgress) {
    guard progress.total >= 20, progress.done % (progress.total / 20) == 0,
      let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return }
    sizes.withLock { $0.append((pages * 4_096 / 1_048_576).rounded()) }
  }
}
