import AudioSamples
import CoreData
import Foundation
import KanoraCore
import Synchronization

/// Scans a folder of simulated music: a program for kill tests and measurements.
///
///     ScanProcess STORE FOLDER [memory|saves]
///
/// With `saves` it prints the number of tracks and the time behind each save. With `memory` it scans twice, and prints the megabytes that it holds twenty times during the first scan, and the counts of both.
@main
enum ScanProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.count == 4 else { exit(64) }
    let store = try KanoraStore.openOrMake(URL(fileURLWithPath: arguments[1]))
    let scanner = LibraryScanner(store, read: TextAudio.read)
    let library = try await scanner.library(at: URL(fileURLWithPath: arguments[2]))
    guard arguments.count == 4, arguments[3] == "memory" else {
      if arguments.count == 4 { SaveTimes().begin() }
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

/// Prints how many tracks were stored by then behind each save, and when, in seconds since 1970.
private final class SaveTimes: Sendable {
  private let count = Mutex(0)

  /// Follows the saves of this process until it ends.
  func begin() {
    _ = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { self.note($0.userInfo, at: Date()) }
  }

  private func note(_ saved: [AnyHashable: Any]?, at time: Date) {
    let inserted = saved?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
    let tracks = inserted.count { $0 is Track }
    if tracks == 0 { return }
    let all = count.withLock { count in
      count += tracks
      return count
    }
    FileHandle.standardOutput.write(Data("saved \(all) \(time.timeIntervalSince1970)\n".utf8))
  }
}
