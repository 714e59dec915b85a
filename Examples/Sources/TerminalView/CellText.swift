import Foundation

/// Text measured in terminal columns.
public enum CellText {
  /// Returns the number of columns that a text occupies; control characters occupy none.
  public static func width(of text: String) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns a text that occupies exactly the given number of columns, truncated with an ellipsis or padded with spaces.
  ///
  /// - Parameters:
  ///   - text: One line.
  ///   - columns: The number of columns.
  public static func fitted(_ text: String, to columns: Int) -> String {
    guard columns > 0 else { return "" }
    var (result, used) = ("", 0)
    let isCut = width(of: text) > columns
    for character in text {
      let width = width(of: character)
      if used + width > (isCut ? columns - 1 : columns) { break }
      result.append(character)
      used += width
    }
    if isCut {
      result += "…"
      used += 1
    }
    return result + String(repeating: " ", count: max(0, columns - used))
  }

  /// Breaks a text into lines of at most the given number of columns, at spaces if possible.
  ///
  /// - Parameters:
  ///   - text: Any text; its line breaks are kept.
  ///   - columns: The number of columns, at least 2.
  public static func wrapped(_ text: String, to columns: Int) -> [String] {
    let limit = max(2, columns)
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { wrapped(paragraph: $0, limit) }
  }

  private static func wrapped(paragraph: Substring, _ limit: Int) -> [String] {
    var lines: [String] = []
    var (line, used) = ("", 0)
    for word in paragraph.split(separator: " ") {
      let width = width(of: String(word))
      if used > 0, used + 1 + width <= limit {
        line += " \(word)"
        used += 1 + width
        continue
      }
      if used > 0 { lines.append(line) }
      (line, used) = ("", 0)
      for character in word {
        let width = CellText.width(of: character)
        if used + width > limit {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += width
      }
    }
    return lines + [line]
  }

  /// Emoji and characters of East Asian scripts occupy two columns, combining marks none.
  private static func width(of character: Character) -> Int {
    // A control character can belong to the same `Character` as the following letter.
    guard let first = character.unicodeScalars.first(where: { !isControl($0) }) else { return 0 }
    switch first.properties.generalCategory {
    case .format, .nonspacingMark, .enclosingMark, .surrogate: return 0
    default: break
    }
    let isEmoji =
      first.properties.isEmojiPresentation
      || character.unicodeScalars.contains { $0.value == 0xFE0F || $0.value == 0x200D }
    return isEmoji || isWide(first.value) ? 2 : 1
  }

  /// The large blocks of the Unicode East Asian Width classes Wide and Fullwidth.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]

  private static func isWide(_ scalar: UInt32) -> Bool {
    scalar >= 0x1100 && wide.contains { $0.contains(scalar) }
  }
}

extension CellText {
  /// Returns a text without characters that control a terminal or change the direction of the following text.
  public static func withoutControls(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
  }

  /// Returns a text as one line without control characters. Spaces replace line breaks.
  public static func line(_ text: String) -> String {
    withoutControls(text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// Returns whether a character controls a terminal or changes the direction of the following text.
  ///
  /// The two characters that join or separate letters and emoji do neither.
  public static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
    let category = scalar.properties.generalCategory
    return category == .control || category == .format
  }
}
