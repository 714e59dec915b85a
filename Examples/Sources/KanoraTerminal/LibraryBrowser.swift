public import KanoraCore
import TerminalView

/// The music library in a terminal: artists, albums, tracks and playlists, live, by keys.
public struct LibraryBrowser {
  private let places: LibraryPlaces

  /// Makes a browser of a library.
  public init(_ store: KanoraStore) { places = LibraryPlaces(store) }

  /// Shows the library until the user quits.
  ///
  /// - Returns: false if there is no terminal.
  /// - Throws: What reading the library throws; the terminal is as before then.
  public func run() async throws -> Bool { try await TerminalBrowser.run(places) }
}
