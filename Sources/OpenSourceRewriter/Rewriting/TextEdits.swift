/// Replacements in a text, by byte offsets.
struct TextEdits {
  private struct Edit {
    let range: Range<Int>
    let text: String
  }

  private var edits: [Edit] = []

  /// Replaces bytes; `text` must have as many line ends as they had, or say where the next line was written.
  mutating func replace(_ range: Range<Int>, with text: String) {
    edits.append(Edit(range: range, text: text))
  }

  /// Puts a text before a byte.
  mutating func insert(_ text: String, at offset: Int) { replace(offset..<offset, with: text) }

  /// The text with all replacements; of those that overlap the first one counts.
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
