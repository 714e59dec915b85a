import ArgumentParser
import CommandParts
import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import WebPages

/// Lists and changes playlists.
struct Playlists: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist", abstract: "List and change playlists.",
    discussion: "Specify a playlist by its name or id. Positions start at 1.",
    subcommands: [
      ListPlaylists.self, ShowPlaylist.self, MakePlaylist.self, MakeSmartPlaylist.self,
      ChangeRules.self, AddToPlaylist.self, RemoveFromPlaylist.self, MoveInPlaylist.self,
      RenamePlaylist.self, DeletePlaylist.self,
    ])
}

/// Lists the playlists.
struct ListPlaylists: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the playlists.")

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let rows = try Terminal.reporting {
      try store.performBatchOperation { try LibraryLists.playlists(in: $0) }
    }
    if json { return try Output.printJSON(rows) }
    for row in rows {
      let content = row.isSmart ? "smart" : TrackPrinter.count(row.itemCount)
      print(Terminal.line("\(row.id.uuidString)  \(row.name) (\(content))"))
    }
    print(Wording.count(rows.count, "playlist"))
  }
}

/// Lists the tracks of a playlist.
struct ShowPlaylist: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "List the tracks in a playlist.")

  @Argument(help: "The playlist.")
  var playlist: PlaylistName

  @OptionGroup var store: StoreOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let store = try store.openExisting()
    let rows = try Terminal.reporting {
      let id = try playlist.find(in: store).id
      return try store.performBatchOperation {
        try LibraryLists.tracks(ofPlaylist: id, in: $0)
      }
    }
    if json { return try Output.printJSON(rows) }
    for (number, row) in rows.enumerated() { print("\(number + 1)  \(TrackPrinter.line(row))") }
    print(TrackPrinter.count(rows.count))
  }
}

/// Creates a playlist.
struct MakePlaylist: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Create a playlist, empty or with tracks.")

  @Argument(help: "The name.")
  var name: String

  @OptionGroup var choice: TrackChoice

  @OptionGroup var store: StoreOptions

  private var isEmpty: Bool { choice.ids.isEmpty && choice.words.words.isEmpty }

  func validate() throws { if !isEmpty { try choice.requireOne() } }

  func run() async throws {
    let desk = try store.openDesk()
    try await Terminal.reporting {
      let tracks = isEmpty ? [] : try choice.trackIDs(in: desk.store)
      let id = try await desk.makePlaylist(name, tracks: tracks)
      print(Terminal.line("\(id.uuidString)  \(name) (\(TrackPrinter.count(tracks.count)))"))
    }
  }
}

/// The rules of a smart playlist.
struct RuleOptions: ParsableArguments {
  @OptionGroup var words: QueryWords

  @Option(help: "The sort order.")
  var sort = TrackOrder.album

  @Flag(help: "Sort in descending order.")
  var descending = false

  @Option(help: "The maximum number of tracks.")
  var limit: Int?

  func validate() throws {
    if words.words.isEmpty { throw ValidationError("Missing query.") }
    if let limit, limit < 1 { throw ValidationError("The value of --limit must be at least 1.") }
  }

  /// Returns the rules.
  func rules() throws -> SmartRules {
    SmartRules(try words.query(), sort: sort, isAscending: !descending, limit: limit)
  }
}

/// Creates a smart playlist from a query.
struct MakeSmartPlaylist: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "smart",
    abstract: "Create a playlist that always contains the tracks that match a query.")

  @Argument(help: "The name.")
  var name: String

  @OptionGroup var rules: RuleOptions

  @OptionGroup var store: StoreOptions

  func run() async throws {
    let desk = try store.openDesk()
    try await Terminal.reporting {
      let id = try await desk.makeSmartPlaylist(name, try rules.rules())
      print(Terminal.line("\(id.uuidString)  \(name) (smart)"))
    }
  }
}

/// Replaces the rules of a smart playlist.
struct ChangeRules: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Replace the query, order and limit of a smart playlist.")

  @OptionGroup var chosen: ChosenPlaylist

  @OptionGroup var rules: RuleOptions

  func run() async throws {
    try await chosen.change { desk, found in
      try await desk.setRules(try rules.rules(), of: found.id)
      return "Changed the rules of \(found.name)."
    }
  }
}

/// Adds tracks to a playlist.
struct AddToPlaylist: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add tracks to the end of a playlist.")

  @OptionGroup var chosen: ChosenPlaylist

  @OptionGroup var choice: TrackChoice

  func validate() throws { try choice.requireOne() }

  func run() async throws {
    try await chosen.change { desk, found in
      let tracks = try choice.trackIDs(in: desk.store)
      try await desk.add(tracks, toPlaylist: found.id)
      return "Added \(TrackPrinter.count(tracks.count)) to \(found.name)."
    }
  }
}

/// Positions that start at 1, as shown to users.
private enum Positions {
  /// Returns the positions starting at 0.
  ///
  /// - Throws: `CommandFailure` if the playlist is smart, or has no such position.
  static func checked(_ positions: [Int], in playlist: PlaylistRow) throws -> [Int] {
    guard !playlist.isSmart else {
      throw CommandFailure(
        "The tracks of a smart playlist are determined by its query. Change the query instead.")
    }
    for position in positions where position < 1 || position > playlist.itemCount {
      throw CommandFailure("The playlist has no track at position \(position).")
    }
    return positions.map { $0 - 1 }
  }
}

/// Removes tracks from a playlist.
struct RemoveFromPlaylist: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove the tracks at the given positions from a playlist.")

  @OptionGroup var chosen: ChosenPlaylist

  @Argument(help: "The positions, as printed by 'kanora playlist show'.")
  var positions: [Int]

  func run() async throws {
    try await chosen.change { desk, found in
      let checked = try Positions.checked(positions, in: found)
      try await desk.remove(positions: checked, fromPlaylist: found.id)
      let count = TrackPrinter.count(Set(checked).count)
      return "Removed \(count) from \(found.name)."
    }
  }
}

/// Moves a track of a playlist.
struct MoveInPlaylist: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a track in a playlist to another position.")

  @OptionGroup var chosen: ChosenPlaylist

  @Argument(help: "The current position of the track.")
  var from: Int

  @Argument(help: "The new position of the track.")
  var to: Int

  func run() async throws {
    try await chosen.change { desk, found in
      let places = try Positions.checked([from, to], in: found)
      try await desk.move(from: places[0], to: places[1], inPlaylist: found.id)
      return "Moved a track in \(found.name) from position \(from) to \(to)."
    }
  }
}

/// Renames a playlist.
struct RenamePlaylist: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a playlist.")

  @OptionGroup var chosen: ChosenPlaylist

  @Argument(help: "The new name.")
  var name: String

  func run() async throws {
    try await chosen.change { desk, found in
      try await desk.renamePlaylist(found.id, to: name)
      return "Renamed \(found.name) to \(name)."
    }
  }
}

/// Deletes a playlist.
struct DeletePlaylist: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a playlist. Its tracks stay in the library.")

  @OptionGroup var chosen: ChosenPlaylist

  func run() async throws {
    try await chosen.change { desk, found in
      try await desk.deletePlaylist(found.id)
      return "Deleted \(found.name)."
    }
  }
}
