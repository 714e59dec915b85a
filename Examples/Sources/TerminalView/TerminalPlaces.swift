/// What an application shows in a terminal: places, each of which is a list of rows.
public protocol TerminalPlaces: Sendable {
  /// A list that can be shown.
  associatedtype Place: Hashable & Sendable

  /// The place that is shown first.
  var start: Place { get }
  /// The application's own keys in one line, below each list.
  var help: String { get }

  /// Keys of the application that `help` has no room for, which `?` shows.
  var furtherKeys: String { get }

  /// The heading of a place.
  func title(of place: Place) -> String

  /// Shows the rows of a place, and shows them again whenever they change, until the task is cancelled.
  ///
  /// - Throws: Why the rows cannot be read; the browser ends with it.
  func follow(_ place: Place, _ show: @escaping @Sendable ([TerminalRow]) -> Void) async throws

  /// The place that Enter opens.
  func place(opening row: TerminalRow, in place: Place) -> Place?

  /// The next or the previous page of a place; nil if there is none.
  func page(of place: Place, by step: Int) -> Place?

  /// What a key of the application does.
  ///
  /// - Parameters:
  ///   - key: The character; keys that move, open, go back, turn pages and quit are not asked for.
  ///   - row: The chosen row.
  func action(of key: Character, in place: Place, row: TerminalRow?) -> TerminalAction<Place>?
}

extension TerminalPlaces {
  /// No further keys.
  public var furtherKeys: String { "" }
}

/// What a key does.
public enum TerminalAction<Place: Hashable & Sendable>: Sendable {
  /// A place is opened.
  case open(Place)
  /// A place is shown instead of the one that is shown now.
  case replace(Place)
  /// Work is done; what it returns, or the error it throws, is shown below the list.
  case run(@Sendable () async throws -> String)
  /// A line is asked for; it leads to another action.
  case ask(String, @Sendable (String) -> TerminalAction<Place>?)
}
