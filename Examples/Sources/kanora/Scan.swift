import ArgumentParser
import CommandParts
import Foundation
import KanoraCore

/// Updates the library from a folder.
struct Scan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring the library up to date with a folder.",
    discussion:
      "Files stay where they are. A file that cannot be read is counted, and the scan goes on.")

  @Argument(help: "The folder.", completion: .directory)
  var folder: String

  @OptionGroup var store: StoreOptions

  @Flag(help: "Show no progress.")
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
