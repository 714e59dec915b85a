import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit

/// Updates the library from a folder.
struct Scan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Update the library from a folder.",
    discussion:
      """
      The files stay where they are, unless --copy-into is used. A file that cannot be read is \
      counted, and the scan continues. At the end, the files that could not be read are listed. \
      Ctrl-C stops the scan; the files read so far are kept, and the next scan continues.
      """)

  @Argument(help: "The folder.", completion: .directory, transform: Input.path)
  var folder: String

  @Option(
    help: """
      Copy the audio files into this folder as Artist/Album/file, and add the copies to the \
      library. Audio that the library contains is not copied again.
      """, completion: .directory, transform: Input.path)
  var copyInto: String?

  @OptionGroup var store: StoreOptions

  @Flag(help: "Do not show progress.")
  var quiet = false

  func validate() throws {
    guard let copyInto else { return }
    let (source, target) = (Self.path(folder), Self.path(copyInto))
    if target.hasPrefix(source) || source.hasPrefix(target) {
      throw ValidationError("Neither of the two folders may contain the other one.")
    }
  }

  /// Returns the path of a folder with a slash at its end.
  private static func path(_ folder: String) -> String {
    let path = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath().path
    return path.hasSuffix("/") ? path : path + "/"
  }

  func run() async throws {
    // A folder that cannot be read must not create a library.
    try Terminal.reporting {
      for path in [folder, copyInto].compactMap(\.self) {
        try LibraryScanner.requireFolder(URL(filePath: path))
      }
    }
    let store = try store.openOrMake()
    let start = Date()
    let meter = ProgressMeter(quiet ? .silent : Terminal.isInteractive ? .bar : .lines)
    let work = work(LibraryScanner(store), meter)
    let found = try await Terminal.reporting {
      defer { meter.finish() }
      return try await StopSignals.cancelling(work)
    }
    guard let (library, report) = found else { throw Self.stopped() }
    // A copy of a missing file updates the file's track instead of creating one.
    let copied = report.newCount + report.changedCount + report.movedCount
    print(
      copyInto == nil
        ? "\(report.newCount) new, \(report.changedCount) changed, \(report.movedCount) moved, "
          + "\(report.unchangedCount) unchanged, \(report.missingCount) missing, "
          + "\(report.badCount) bad"
        : "\(copied) copied, \(report.duplicateCount) already in the library, "
          + "\(report.badCount) bad")
    if report.badCount > 0 { try listBadFiles(of: library, in: store, since: start) }
    if report.wasCancelled { throw Self.stopped() }
  }

  /// Reports that a signal has stopped the scan, and returns the exit status.
  private static func stopped() -> ExitCode {
    Terminal.complain("The scan was stopped. The files that it has read are in the library.")
    return .failure
  }

  /// Returns the scan. It returns nil if it is canceled while it waits for another scan.
  private func work(
    _ scanner: LibraryScanner, _ meter: ProgressMeter
  ) -> @Sendable () async throws -> (library: UUID, report: ScanReport)? {
    let (folder, target) = (URL(filePath: folder), copyInto.map { URL(filePath: $0) })
    let progress: LibraryScanner.ProgressHandler = {
      let file = $0.file.map { URL(filePath: $0).lastPathComponent }
      meter.show($0.phase.rawValue, done: $0.done, total: $0.total, part: file ?? "")
    }
    return {
      do {
        let library = try await scanner.library(at: target ?? folder)
        let report =
          if target != nil {
            try await scanner.copyFiles(from: folder, into: library, progress: progress)
          } else {
            try await scanner.scan(library, progress: progress)
          }
        return (library, report)
      } catch is CancellationError {
        return nil
      }
    }
  }

  /// Prints the files that the scan could not read, with the reasons.
  private func listBadFiles(
    of library: UUID, in store: KanoraStore, since start: Date
  ) throws {
    let files = try Terminal.reporting {
      try store.performBatchOperation { try LibraryLists.badFiles(of: library, in: $0) }
    }
    for file in files where file.seenAt >= start {
      print(Terminal.line("\(file.path): \(file.reason)"))
    }
  }
}
