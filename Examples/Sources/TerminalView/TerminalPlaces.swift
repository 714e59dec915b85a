/// The content that an application shows in a terminal: places, each of which is a list of rows.
public protocol TerminalPlaces: Sendable {
  /// A list that can be shown.
  associatedtype Place: Hashable & Sendable

  /// The first place to show.
  var start: Place { get }
  /// The application's own keys in one line, shown below each list.
  var help: String { get }

  /// The application's keys that do not fit in `help`, which `?` shows.
  var furtherKeys: String { get }

  /// Returns the heading of a place.
  func title(of place: Place) -> String

  /// Shows the rows of a place, and shows them again whenever they change, until the task is canceled.
  ///
  /// - Throws: Any error that reading the rows throws; it ends the browser.
  func follow(_ place: Place, _ show: @escaping @Sendable ([TerminalRow]) -> Void) async throws

  /// Returns the place that Enter opens.
  func place(opening row: TerminalRow, in place: Place) -> Place?

  /// Returns the next or previous page of a place, or nil if there is none.
  func page(of place: Place, by step: Int) -> Place?

  /// Returns the action of an application key.
  ///
  /// - Parameters:
  ///   - key: The character. Keys that move, open, go back, turn pages or quit are handled by the browser.
  ///   - row: The selected row.
  func action(of key: Character, in place: Place, row: TerminalRow?) -> TerminalAction<Place>?
}

extension TerminalPlaces {
  /// No further keys.
  public var furtherKeys: String { "" }
}

/// The action of a key.
public enum TerminalAction<Place: Hashable & Sendable>: Sendable {
  /// Opens a place.
  case open(Place)
  /// Replaces the current place with another one.
  case replace(Place)
  /// Runs work, and shows its result or the error it throws below the list.
  case run(@Sendable () async throws -> String)
  /// Asks for a line of text, which leads to another action.
  case ask(String, @Sendable (String) -> TerminalAction<Place>?)
}
