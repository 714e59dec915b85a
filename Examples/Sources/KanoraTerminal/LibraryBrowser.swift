public import KanoraCore
import TerminalView

/// A keyboard-driven terminal browser for the music library, with live artists, albums, tracks and playlists.
public struct LibraryBrowser {
  private let places: LibraryPlaces

  /// Creates a browser for a library.
  public init(_ store: KanoraStore) { places = LibraryPlaces(store) }

  /// Shows the library until the user quits.
  ///
  /// - Returns: `false` if there is no terminal.
  /// - Throws: Any error that reading the library throws; the terminal is then restored.
  public func run() async throws -> Bool { try await TerminalBrowser.run(places) }
}
