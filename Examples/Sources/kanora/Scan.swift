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
      counted, and the scan continues. At the end, the files that could not be read are listed.
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
    let scanner = LibraryScanner(store)
    let start = Date()
    let meter = ProgressMeter(quiet ? .silent : Terminal.isInteractive ? .bar : .lines)
    let library = try await Terminal.reporting {
      try await scanner.library(at: URL(filePath: copyInto ?? folder))
    }
    let report = try await Terminal.reporting {
      defer { meter.finish() }
      let progress: LibraryScanner.ProgressHandler = {
        meter.show($0.phase.rawValue, done: $0.done, total: $0.total)
      }
      if copyInto == nil { return try await scanner.scan(library, progress: progress) }
      return try await scanner.copyFiles(
        from: URL(filePath: folder), into: library, progress: progress)
    }
    print(
      copyInto == nil
        ? "\(report.newCount) new, \(report.changedCount) changed, \(report.movedCount) moved, "
          + "\(report.unchangedCount) unchanged, \(report.missingCount) missing, "
          + "\(report.badCount) bad"
        : "\(report.newCount) copied, \(report.duplicateCount) already in the library, "
          + "\(report.badCount) bad")
    if report.badCount > 0 { try listBadFiles(of: library, in: store, since: start) }
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
