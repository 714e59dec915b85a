import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import WebPages

/// Prints the size of the library.
struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the size of the library.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let (numbers, stack) = try Terminal.reporting {
      try store.performBatchOperation { (try LibraryStatistics(in: $0), StackStatistics(of: $0)) }
    }
    if json { return try Output.printJSON(numbers) }
    print(Self.totals(numbers))
    print(
      String(format: "%.1f hours, %.2f GB, ", numbers.hours, numbers.gigabytes)
        + "\(Wording.count(numbers.missingCount, "file")) missing")
    for (title, parts) in [
      ("Formats", numbers.formats), ("Genres", numbers.genres), ("Years", numbers.years),
    ] where !parts.isEmpty {
      print("\(title):")
      for part in parts { print(Self.line(part)) }
    }
    if !numbers.topPlayed.isEmpty { print("Most played:") }
    for row in numbers.topPlayed {
      print("  \(TrackPrinter.line(row)): \(Wording.count(row.playCount, "play"))")
    }
    for store in stack.stores {
      let facts: [String?] = [
        store.type, store.url?.path, store.byteCount.map { Wording.count(Int($0), "byte") },
      ]
      print(Terminal.line("Store: \(facts.compactMap(\.self).joined(separator: ", "))"))
    }
  }

  private static func totals(_ numbers: LibraryStatistics) -> String {
    [
      Wording.count(numbers.trackCount, "track"), Wording.count(numbers.albumCount, "album"),
      Wording.count(numbers.artistCount, "artist"),
      Wording.count(numbers.playlistCount, "playlist"), Wording.count(numbers.playCount, "play"),
    ].joined(separator: ", ")
  }

  private static func line(_ part: LibraryStatistics.Part) -> String {
    let size = String(format: "%.1f hours, %.2f GB", part.seconds / 3_600, Double(part.bytes) / 1e9)
    return Terminal.line(
      "  \(part.name ?? "none"): \(TrackPrinter.count(part.trackCount)), \(size)")
  }
}

/// Checks the library for problems, and repairs them.
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the library for problems, and repair them.",
    discussion: """
      Without --repair, nothing is changed, and the exit status is 1 if there are problems. A repair \
      can be undone with 'kanora undo'. Violations of the model and damage to the store are reported, \
      but cannot be repaired.
      """)

  @Option(
    help: ArgumentHelp("Repair the problems of a kind. Can be repeated.", valueName: "kind"))
  var repair: [LibraryFinding.Kind] = []

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    var findings: [LibraryFinding]
    var storeProblems: [String]
  }

  func run() async throws {
    let store = try store.openExisting()
    if !repair.isEmpty { return try await repairProblems(of: store) }
    let report = try Terminal.reporting {
      Report(
        findings: try store.performBatchOperation { try LibraryCheck().findings(in: $0) },
        storeProblems: try LibraryCheck().storeFindings(in: store).map(\.description))
    }
    if json { try Output.printJSON(report) } else { Self.show(report) }
    if !report.findings.isEmpty || !report.storeProblems.isEmpty { throw ExitCode.failure }
  }

  private static func show(_ report: Report) {
    for text in report.findings.map(\.description) + report.storeProblems {
      print(Terminal.line(text))
    }
    let count = report.findings.count + report.storeProblems.count
    print(count == 0 ? "No problems were found." : Wording.count(count, "problem"))
    let kinds = Set(report.findings.map(\.kind))
    for kind in LibraryFinding.Kind.allCases where kinds.contains(kind) {
      print("--repair \(kind.rawValue): \(kind.repair)")
    }
  }

  private func repairProblems(of store: KanoraStore) async throws {
    let repaired = try await Terminal.reporting {
      try await StoreOptions.desk(of: store).repair(Set(repair))
    }
    if json { return try Output.printJSON(repaired) }
    for finding in repaired { print(Terminal.line("\(finding)")) }
    print("Repaired \(Wording.count(repaired.count, "problem")).")
  }
}
