package import TerminalView

/// A browser without a terminal: it handles events as they arrive, and a test presses keys.
package struct TerminalTrial<Places: TerminalPlaces> {
  /// The browser.
  package private(set) var browser: TerminalBrowser<Places>
  private var events: AsyncStream<TerminalBrowser<Places>.Event>.AsyncIterator

  /// Shows the first place.
  package init(_ places: Places) {
    let (stream, continuation) = AsyncStream.makeStream(of: TerminalBrowser<Places>.Event.self)
    events = stream.makeAsyncIterator()
    browser = TerminalBrowser(places) { continuation.yield($0) }
  }

  /// Waits for the next event, and handles it.
  package mutating func handleNext() async throws {
    if let event = await events.next() { try browser.handle(event) }
  }

  /// Handles events until the list is as it should be.
  ///
  /// - Parameter isReached: Looks at the browser's list.
  package mutating func handle(until isReached: (ListState) -> Bool) async throws {
    while !isReached(browser.list), let event = await events.next() { try browser.handle(event) }
  }

  /// Presses keys; a carriage return is Enter, and a backspace is Backspace.
  package mutating func press(_ keys: String) throws {
    for key in keys {
      try browser.handle(.key(key == "\r" ? .enter : key == "\u{8}" ? .back : .character(key)))
    }
  }

  /// The title, and the ids of the rows.
  package var shown: [String] { [browser.list.title] + browser.list.rows.map(\.id) }
}
