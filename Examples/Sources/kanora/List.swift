import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit

/// Lists the tracks of the library.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List the tracks of the library.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws { try TrackPrinter.show(TrackFilter(), of: store, json: json) }
}

/// Finds tracks by a query.
struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find tracks by a query.",
    discussion: "For example: artist:beatles year:1960..1969 -live rating:>=4 unplayed")

  @Argument(help: "The query.")
  var words: [String]

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let query = try Terminal.reporting { try LibraryQuery(words.joined(separator: " ")) }
    try TrackPrinter.show(TrackFilter(query: query), of: store, json: json)
  }
}

/// Prints lists of tracks.
private enum TrackPrinter {
  static func show(_ filter: TrackFilter, of options: StoreOptions, json: Bool) throws {
    let store = try options.openExisting()
    let rows = try Terminal.reporting {
      try store.performBatchOperation {
        try LibraryLists.tracks(filter, window: 0..<Int(Int32.max), in: $0)
      }
    }
    if json { return try Output.printJSON(rows) }
    for row in rows {
      let album = row.album.map { " · \($0)" } ?? ""
      print(Terminal.printable("\(row.title) · \(row.artist)\(album)"))
    }
    print("\(rows.count) track\(rows.count == 1 ? "" : "s")")
  }
}
