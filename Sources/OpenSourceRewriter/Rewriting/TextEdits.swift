/// A collection of replacements in a text, by byte offset.
struct TextEdits {
  private struct Edit {
    let range: Range<Int>
    let text: String
  }

  private var edits: [Edit] = []

  /// Replaces a range of bytes. The text must have the same number of line ends as the range, or
  /// must contain a directive for the next line.
  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append(Edit(range: range, text: text))
  }

  /// Inserts a text before a byte.
  mutating func insert(_ text: String, at offset: Int) { replace(offset..<offset, with: text) }

  /// Returns the text with all replacements. If replacements overlap, only the first is applied.
  func applied(to bytes: [UInt8]) -> String {
    let ordered = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    for (_, edit) in ordered
    where edit.range.lowerBound >= position && edit.range.upperBound <= bytes.count {
      result += bytes[position..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    result += bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }
}
