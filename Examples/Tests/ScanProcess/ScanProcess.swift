import AudioSamples
import Foundation
import KanoraCore

/// Scans a folder of made-up music: a program for tests to kill, and to measure.
///
///     ScanProcess STORE FOLDER [memory]
///
/// With `memory` it scans twice, and prints the megabytes that it holds twenty times during the first scan, and the counts of both.
@main
enum ScanProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 4 else { exit(64) }
    let store = try KanoraStore.openOrMake(URL(fileURLWithPath: arguments[1]))
    let scanner = LibraryScanner(store, read: TextAudio.read)
    let library = try await scanner.library(at: URL(fileURLWithPath: arguments[2]))
    guard arguments.count == 4 else {
      _ = try await scanner.scan(library)
      return
    }
    let first = try await scanner.scan(library) { tell($0) }
    let second = try await scanner.scan(library)
    print("new \(first.newCount)\nunchanged \(second.unchangedCount)")
  }

  private static func tell(_ progress: ScanProgress) {
    guard progress.phase == .reading, progress.total >= 20,
      progress.done % (progress.total / 20) == 0,
      let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return }
    print("megabytes \((pages * 4_096 / 1_048_576).rounded())")
  }
}
