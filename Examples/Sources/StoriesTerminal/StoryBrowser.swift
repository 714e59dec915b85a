public import StoriesCore
import TerminalView

/// The library of stories in a terminal: the shelf and the pages of stories, live, by keys.
public struct StoryBrowser {
  private let places: StoryPlaces

  /// Makes a browser of a library.
  public init(_ library: StoryLibrary) { places = StoryPlaces(library) }

  /// Shows the library until the reader quits.
  ///
  /// - Returns: false if there is no terminal.
  /// - Throws: What reading the library throws; the terminal is as before then.
  public func run() async throws -> Bool { try await TerminalBrowser.run(places) }
}
