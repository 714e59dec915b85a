import ArgumentParser
import CommandParts
import Foundation
import KanoraCore

/// Lists the tracks of the library.
struct List: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List the tracks in the library.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws { try TrackPrinter.show(TrackFilter(), of: store.openExisting(), json: json) }
}

/// Finds tracks by a query.
struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find the tracks that match a query.",
    discussion: "For example: artist:beatles year:1960..1969 -live rating:>=4 unplayed")

  @OptionGroup var words: QueryWords

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if words.words.isEmpty { throw ValidationError("Missing query.") }
  }

  func run() throws {
    let query = try Terminal.reporting { try words.query() }
    try TrackPrinter.show(TrackFilter(query: query), of: store.openExisting(), json: json)
  }
}
