public import ArgumentParser
import CommandParts
import CoreData
import Foundation
public import KanoraCore
import OpenPersistenceKit
import StoreSharing
import WebPages

extension TrackField: ExpressibleByArgument {}
extension TrackOrder: ExpressibleByArgument {}
extension DuplicateFinder.Criterion: ExpressibleByArgument {}
extension LibraryFinding.Kind: ExpressibleByArgument {}

/// A query as command-line words. A word with a single leading hyphen excludes tracks.
struct QueryWords: ParsableArguments {
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("A query. For an example, see 'kanora search --help'.", valueName: "query"))
  var given: [String] = []

  /// The arguments before the mark `--`, which ends the options.
  private var options: ArraySlice<String> { given.prefix { $0 != "--" } }

  /// The words of the query, without the mark.
  var words: [String] { Array(options) + given.dropFirst(options.count + 1) }

  func validate() throws {
    if let option = options.first(where: { $0.hasPrefix("--") }) {
      throw ValidationError("Unknown option '\(option)'")
    }
  }

  /// Returns the query.
  ///
  /// - Throws: `LibraryQueryError`.
  func query() throws -> LibraryQuery { try LibraryQuery(words.joined(separator: " ")) }
}

/// The tracks that a command acts on: the tracks that match a query, or the tracks with given ids.
struct TrackChoice: ParsableArguments {
  @OptionGroup var words: QueryWords

  @Option(name: .customLong("id"), help: "The id of a track. Can be repeated.")
  var ids: [UUID] = []

  /// Requires either a query or ids, but not both.
  func requireOne() throws {
    if words.words.isEmpty == ids.isEmpty {
      throw ValidationError("Specify the tracks either with a query or with --id.")
    }
  }

  /// Returns the ids of the tracks, in album order or in the order of the options.
  ///
  /// - Throws: `CommandFailure` if the query matches no tracks.
  func trackIDs(in store: KanoraStore) throws -> [UUID] {
    guard ids.isEmpty else { return ids }
    let query = try words.query()
    let found = try store.performBatchOperation {
      try LibraryLists.trackIDs(TrackFilter(query: query), in: $0)
    }
    if found.isEmpty { throw CommandFailure("The query matches no tracks.") }
    return found
  }
}

/// A playlist, specified by name or id.
struct PlaylistName: ExpressibleByArgument {
  let text: String

  init?(argument: String) { text = argument }

  /// Finds the playlist, ignoring case and accents in the name.
  ///
  /// - Throws: `CommandFailure` if there is no such playlist, or if several have the same name.
  func find(in store: KanoraStore) throws -> PlaylistRow {
    let all = try store.performBatchOperation { try LibraryLists.playlists(in: $0) }
    let key = SearchText.fold(text)
    return try NamedValue.find(
      text, among: all, kind: "playlist", listing: "kanora playlist list", id: \.id,
      isNamed: { SearchText.fold($0.name) == key })
  }
}

/// The playlist that a command changes.
struct ChosenPlaylist: ParsableArguments {
  @Argument(help: "The playlist.")
  var playlist: PlaylistName

  @OptionGroup var store: StoreOptions

  /// Changes the playlist, and prints the sentence that the closure returns.
  func change(_ work: (LibraryDesk, PlaylistRow) async throws -> String) async throws {
    let desk = try store.openDesk()
    try await Terminal.reporting {
      print(Terminal.line(try await work(desk, try playlist.find(in: desk.store))))
    }
  }
}

/// Prints lists of tracks as text or JSON.
enum TrackPrinter {
  /// Prints the tracks that match a filter.
  static func show(_ filter: TrackFilter, of store: KanoraStore, json: Bool) throws {
    let rows = try Terminal.reporting {
      try store.performBatchOperation {
        try LibraryLists.tracks(filter, window: 0..<Int(Int32.max), in: $0)
      }
    }
    if json { return try Output.printJSON(rows) }
    for row in rows { print(line(row)) }
    print(count(rows.count))
  }

  /// Returns one line with the title, artist and album.
  static func line(_ row: TrackRow) -> String {
    Terminal.line("\(row.title) · \(row.artist)\(row.album.map { " · \($0)" } ?? "")")
  }

  /// Returns a number of tracks as text.
  static func count(_ number: Int) -> String { Wording.count(number, "track") }
}
