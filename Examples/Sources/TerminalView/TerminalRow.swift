/// A row of a list in a terminal.
public struct TerminalRow: Sendable, Equatable {
  /// The style of a row.
  public enum Style: Sendable {
    /// Normal text.
    case plain
    /// Emphasized text.
    case strong
    /// Secondary text.
    case muted
    /// A heading for the rows below, which cannot be selected.
    case heading
  }

  /// An identifier that is unique in the list.
  public let id: String
  /// The text on the left; additional lines are shown below the first.
  public let text: String
  /// The text on the right of the first line.
  public let detail: String
  /// The style of the row.
  public let style: Style
  /// Whether the text wraps instead of being truncated.
  public let wraps: Bool

  /// Creates a row.
  public init(
    id: String, _ text: String, detail: String = "", style: Style = .plain, wraps: Bool = false
  ) {
    self.id = id
    self.text = text
    self.detail = detail
    self.style = style
    self.wraps = wraps
  }
}
