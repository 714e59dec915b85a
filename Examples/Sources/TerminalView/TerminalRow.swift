/// A row of a list in a terminal.
public struct TerminalRow: Sendable, Equatable {
  /// How a row is shown.
  public enum Style: Sendable {
    /// As text.
    case plain
    /// As what asks for attention.
    case strong
    /// As what is beside the point.
    case muted
    /// As the heading of the rows below, which cannot be chosen.
    case heading
  }

  /// What tells the row from others in the list.
  public let id: String
  /// The text at the left; of several lines, the further ones are below it.
  public let text: String
  /// The text at the right of the first line.
  public let detail: String
  /// How it is shown.
  public let style: Style
  /// Whether its text is broken into lines instead of cut.
  public let wraps: Bool

  /// Makes a row.
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
