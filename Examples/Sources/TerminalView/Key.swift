/// A key press, or another terminal event.
public enum Key: Sendable, Equatable {
  case up, down, pageUp, pageDown, home, end, enter, back
  /// A character.
  case character(Character)
  /// The window was resized.
  case resized
  /// The input has ended, or the user has pressed Control-C or Control-D.
  case closed
}
