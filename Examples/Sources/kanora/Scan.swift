import ArgumentParser
import CommandParts
import Foundation
import KanoraCore

/// Updates the library from a folder.
struct Scan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Update the library from a folder.",
    discussion:
      "The files stay where they are. A file that cannot be read is counted, and the scan continues."
  )

  @Argument(help: "The folder.", completion: .directory)
  var folder: String

  @OptionGroup var store: StoreOptions

  @Flag(help: "Do not show progress.")
  var quiet = false

  func run() async throws {
    let scanner = LibraryScanner(try store.openOrMake())
    let meter = ProgressMeter(quiet ? .silent : Terminal.isInteractive ? .bar : .lines)
    let report = try await Terminal.reporting {
      defer { meter.finish() }
      let library = try await scanner.library(at: URL(filePath: folder))
      return try await scanner.scan(library) {
        meter.show($0.phase.rawValue, done: $0.done, total: $0.total)
      }
    }
    print(
      "\(report.newCount) new, \(report.changedCount) changed, \(report.movedCount) moved, "
        + "\(report.unchangedCount) unchanged, \(report.missingCount) missing, "
        + "\(report.badCount) bad")
  }
}
