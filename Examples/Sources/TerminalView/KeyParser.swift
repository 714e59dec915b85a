import Synchronization

/// Parses the bytes that a terminal sends for key presses.
///
/// A read can end within a character or an escape sequence. The parser keeps these bytes until the next read.
///
/// > Concurrency: Shared; usable on any thread.
package final class KeyParser: Sendable {
  /// The bytes of an incomplete character or escape sequence.
  private let rest = Mutex<[UInt8]>([])

  /// Creates a parser.
  package init() {}

  /// Returns the keys in the bytes of one read. Keys with an unknown escape sequence are ignored.
  ///
  /// - Parameter bytes: The bytes of one read.
  package func keys(in bytes: [UInt8]) -> [Key] {
    let whole = rest.withLock { rest in
      let all = rest + bytes
      let count = all.count - Self.incompleteCount(of: all)
      rest = Array(all[count...])
      return Array(all[..<count])
    }
    var keys: [Key] = []
    var place = 0
    while place < whole.count {
      let start = place
      if whole[place] != Self.escape {
        place = whole[place...].firstIndex(of: Self.escape) ?? whole.count
        keys += String(decoding: whole[start..<place], as: UTF8.self).map(Self.key)
      } else if let end = Self.endOfSequence(whole, at: place) {
        place = end
        let sequence = String(decoding: whole[start + 1..<place], as: UTF8.self)
        if let key = Self.sequences[sequence] { keys.append(key) }
      } else {
        place += 1
        keys.append(.back)
      }
    }
    return keys
  }

  private static func key(_ character: Character) -> Key {
    switch character {
    case "\r", "\n", "\r\n": .enter
    case "\u{7F}", "\u{8}": .back
    case "\u{3}", "\u{4}": .closed
    default: .character(character)
    }
  }

  // MARK: Escape sequences

  private static let escape: UInt8 = 0x1B

  /// The known sequences, without the escape character.
  private static let sequences: [String: Key] = [
    "[A": .up, "[B": .down, "OA": .up, "OB": .down, "[5~": .pageUp, "[6~": .pageDown,
    "[H": .home, "[F": .end, "[1~": .home, "[4~": .end, "[D": .back, "OD": .back,
    "[C": .enter, "OC": .enter,
  ]

  /// Returns the position after the escape sequence of a key; nil if the bytes are not a complete sequence.
  private static func endOfSequence(_ bytes: [UInt8], at place: Int) -> Int? {
    guard place + 2 < bytes.count else { return nil }
    switch bytes[place + 1] {
    case UInt8(ascii: "O"): return place + 3
    case UInt8(ascii: "["):
      // The Linux console sends a second bracket for some function keys.
      let start = bytes[place + 2] == UInt8(ascii: "[") ? place + 3 : place + 2
      // Parameters precede the last character of a sequence.
      let last = bytes[start...].firstIndex { !(0x20...0x3F).contains($0) }
      return last.map { (0x40...0x7E).contains(bytes[$0]) ? $0 + 1 : $0 }
    default: return nil
    }
  }

  /// Returns the number of bytes at the end that begin a sequence or a character but do not complete it.
  private static func incompleteCount(of bytes: [UInt8]) -> Int {
    if let start = bytes.lastIndex(of: escape), start + 1 < bytes.count,
      "O[".utf8.contains(bytes[start + 1]), endOfSequence(bytes, at: start) == nil
    {
      return bytes.count - start
    }
    // The first byte of a character in UTF-8 determines the number of its bytes.
    guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let first = bytes[start]
    let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let count = bytes.count - start
    return count < length ? count : 0
  }
}
