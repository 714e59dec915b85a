public import StoriesCore
import TerminalView

/// A keyboard-driven browser of the library in a terminal: the shelf and the pages of stories, with live updates.
public struct StoryBrowser {
  private let places: StoryPlaces

  /// Creates a browser of a library.
  public init(_ library: StoryLibrary) { places = StoryPlaces(library) }

  /// Shows the library until the reader quits.
  ///
  /// - Returns: false if there is no terminal.
  /// - Throws: An error of reading the library; the terminal is restored first.
  public func run() async throws -> Bool { try await TerminalBrowser.run(places) }
}
