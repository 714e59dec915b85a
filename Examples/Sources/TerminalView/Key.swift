/// A key press, or another terminal event.
public enum Key: Sendable, Equatable {
  case up, down, pageUp, pageDown, home, end, enter, back
  /// A character.
  case character(Character)
  /// The window was resized.
  case resized
  /// The input has ended.
  case closed

  /// Returns the keys in the bytes sent by a terminal.
  ///
  /// - Parameter bytes: The bytes of one read.
  static func keys(in bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let first = rest.first {
      if first == "\u{1B}", let (key, length) = sequence(in: rest) {
        keys.append(key)
        rest = rest.dropFirst(length)
        continue
      }
      rest = rest.dropFirst()
      switch first {
      case "\r", "\n", "\r\n": keys.append(.enter)
      case "\u{1B}", "\u{7F}", "\u{8}": keys.append(.back)
      case "\u{3}", "\u{4}": keys.append(.character("q"))
      default: keys.append(.character(first))
      }
    }
    return keys
  }

  private static let sequences: [(String, Key)] = [
    ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}OA", .up), ("\u{1B}OB", .down),
    ("\u{1B}[5~", .pageUp),
    ("\u{1B}[6~", .pageDown), ("\u{1B}[H", .home), ("\u{1B}[F", .end), ("\u{1B}[1~", .home),
    ("\u{1B}[4~", .end),
    ("\u{1B}[D", .back), ("\u{1B}OD", .back), ("\u{1B}[C", .enter), ("\u{1B}OC", .enter),
  ]

  private static func sequence(in text: Substring) -> (Key, Int)? {
    sequences.first { text.hasPrefix($0.0) }.map { ($0.1, $0.0.count) }
  }
}
