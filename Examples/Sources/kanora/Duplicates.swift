import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import WebPages

/// Lists duplicate tracks.
struct Duplicates: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List duplicate tracks.",
    discussion: "The best track of each group comes first. Nothing is deleted.")

  @Option(
    help: "The criterion for duplicates: the same audio, or the same title, artist and album.")
  var by = DuplicateFinder.Criterion.audio

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let groups = try Terminal.reporting {
      try store.performBatchOperation { try DuplicateFinder.duplicates(by: by, in: $0) }
    }
    if json { return try Output.printJSON(groups) }
    for group in groups {
      if let best = group.first { print(TrackPrinter.line(best)) }
      for row in group {
        let missing = row.isMissing ? ", missing" : ""
        print(Terminal.line("  \(row.filePath) (\(row.format)\(missing))"))
      }
    }
    let count = TrackPrinter.count(groups.reduce(0) { $0 + $1.count })
    print("\(Wording.count(groups.count, "group")), \(count)")
  }
}

/// Lists the missing track numbers of albums.
struct Gaps: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the missing track numbers of albums.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let gaps = try Terminal.reporting {
      try store.performBatchOperation { try DuplicateFinder.gaps(in: $0) }
    }
    if json { return try Output.printJSON(gaps) }
    for gap in gaps {
      let numbers = gap.missing.map(String.init).joined(separator: ", ")
      print(Terminal.line("\(gap.album), disc \(gap.discNumber): \(numbers)"))
    }
    print("\(Wording.count(gaps.count, "disc")) with gaps")
  }
}
