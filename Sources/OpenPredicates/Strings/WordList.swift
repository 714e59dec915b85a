/// The words of a text in order, in lowercase and without diacritics.
///
/// The words are the same as the words of SQLite's tokenizer; see ``WordTable``.
package struct WordList: Hashable, Sendable {
  /// The concatenated bytes of all words.
  private(set) var bytes: [UInt8] = []
  /// The end of each word in `bytes`.
  private(set) var ends: [Int] = []

  /// The maximum number of bytes of a word in FTS5.
  private static let longestWord = 32_768

  /// Splits a text into words.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package init(_ text: some StringProtocol) {
    var start = 0
    for scalar in text.unicodeScalars {
      switch WordTable.role(of: scalar.value) {
      case .letter(let code): append(code)
      case .mark where bytes.count > start: continue
      case .mark, .separator:
        endWord(from: start)
        start = bytes.count
      }
    }
    endWord(from: start)
  }

  private mutating func append(_ code: UInt32) {
    if code < 0x80 { return bytes.append(UInt8(code)) }
    guard let scalar = Unicode.Scalar(code) else { return }
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private mutating func endWord(from start: Int) {
    guard bytes.count > start else { return }
    if bytes.count > start + Self.longestWord {
      bytes.removeLast(bytes.count - start - Self.longestWord)
    }
    ends.append(bytes.count)
  }

  /// The words as strings.
  package var words: [String] { (0..<count).map { String(decoding: self[$0], as: UTF8.self) } }

  /// The number of words.
  var count: Int { ends.count }

  /// Returns the bytes of a word.
  subscript(index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Returns whether the list contains the words of a phrase in sequence.
  ///
  /// - Parameter isPrefix: Whether the last word of the phrase may be a prefix of a word.
  func contains(_ phrase: WordList, isPrefix: Bool) -> Bool {
    guard phrase.count > 0, phrase.count <= count else { return false }
    let last = phrase.count - 1
    return (0...count - phrase.count).contains { start in
      (0..<last).allSatisfy { self[start + $0] == phrase[$0] }
        && (isPrefix
          ? self[start + last].starts(with: phrase[last]) : self[start + last] == phrase[last])
    }
  }
}
