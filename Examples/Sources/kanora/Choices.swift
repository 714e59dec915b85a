public import ArgumentParser
import CommandParts
import CoreData
import Foundation
public import KanoraCore
import OpenPersistenceKit
import StoreSharing

extension TrackField: ExpressibleByArgument {}
extension TrackOrder: ExpressibleByArgument {}
extension DuplicateFinder.Criterion: ExpressibleByArgument {}

/// A query in the words of a command line; words with one hyphen in front exclude tracks.
struct QueryWords: ParsableArguments {
  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("A query; 'kanora search --help' shows examples.", valueName: "query"))
  var words: [String] = []

  func validate() throws {
    if let option = words.first(where: { $0.hasPrefix("--") }) {
      throw ValidationError("Unknown option '\(option)'")
    }
  }

  /// The query.
  ///
  /// - Throws: `LibraryQueryError`.
  func query() throws -> LibraryQuery { try LibraryQuery(words.joined(separator: " ")) }
}

/// The tracks that a command works on: those that a query finds, or those with ids.
struct TrackChoice: ParsableArguments {
  @OptionGroup var words: QueryWords

  @Option(name: .customLong("id"), help: "The id of a track; can be repeated.")
  var ids: [UUID] = []

  /// Requires a query or ids, and not both.
  func requireOne() throws {
    if words.words.isEmpty == ids.isEmpty {
      throw ValidationError("Choose tracks by a query or by --id.")
    }
  }

  /// The ids of the tracks, in the order of albums or of the options.
  ///
  /// - Throws: `CommandFailure` if the query finds none.
  func trackIDs(in store: KanoraStore) throws -> [UUID] {
    guard ids.isEmpty else { return ids }
    let query = try words.query()
    let found = try store.performBatchOperation {
      try LibraryLists.trackIDs(TrackFilter(query: query), in: $0)
    }
    if found.isEmpty { throw CommandFailure("The query finds no tracks.") }
    return found
  }
}

/// A playlist, by its name or its id.
struct PlaylistName: ExpressibleByArgument {
  let text: String

  init?(argument: String) { text = argument }

  /// Finds the playlist; case and accents of a name do not count.
  ///
  /// - Throws: `CommandFailure` for none, or for several of the same name.
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

  /// Changes the playlist, and prints the sentence that the work returns.
  func change(_ work: (LibraryDesk, PlaylistRow) async throws -> String) async throws {
    let desk = LibraryDesk(try store.openExisting())
    try await Terminal.reporting {
      print(Terminal.printable(try await work(desk, try playlist.find(in: desk.store))))
    }
  }
}

/// Writes lists of tracks for people and programs.
enum TrackPrinter {
  /// Prints the tracks that pass a filter.
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

  /// One line: title, artist and album.
  static func line(_ row: TrackRow) -> String {
    Terminal.printable("\(row.title) · \(row.artist)\(row.album.map { " · \($0)" } ?? "")")
  }

  /// A number of tracks.
  static func count(_ number: Int) -> String { number == 1 ? "1 track" : "\(number) tracks" }
}
