/// Splits a text into pages at the ends of sentences, and joins the pages again.
enum PageText {
  /// The maximum number of characters on a page, unless a single word is longer.
  static let limit = 420
  private static let abbreviations: Set<String> = [
    "Mr", "Mrs", "Ms", "Dr", "St", "Prof", "e.g", "i.e", "etc", "vs",
  ]
  private static let longestAbbreviation = abbreviations.map(\.count).max() ?? 0
  private static let terminators: Set<Character> = [".", "!", "?", "…"]
  /// Sentence terminators of scripts without a space after a sentence.
  private static let wideTerminators: Set<Character> = ["。", "！", "？"]
  private static let closers: Set<Character> = ["\"", "'", "”", "’", ")", "»", "」"]

  /// Returns the pages of a text, which together are the text without white space at its start and end.
  ///
  /// A page ends with the white space that precedes the next page, or with a sentence terminator of a script without spaces. No page is
  /// blank.
  static func pages(of content: String) -> [String] {
    var pages: [String] = []
    var page = ""
    for piece in sentences(of: trimmed(content)).flatMap(pieces) {
      if !page.isEmpty, page.count + piece.count > limit {
        pages.append(page)
        page = ""
      }
      page += piece
    }
    return page.isEmpty ? pages : pages + [page]
  }

  /// Returns the text of pages.
  ///
  /// Earlier versions stored pages without white space at their ends. A space follows these pages, unless they end with a sentence
  /// terminator of a script without spaces.
  static func content(of pages: [String]) -> String {
    var content = ""
    for page in pages {
      if let last = content.last, !last.isWhitespace, !wideTerminators.contains(last) {
        content += " "
      }
      content += page
    }
    return content
  }

  /// Returns a text without white space at its start and end.
  static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars.drop { $0.properties.isWhitespace }
    guard let last = scalars.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(scalars[...last])
  }

  /// Returns the sentences of a text, each with its trailing whitespace.
  private static func sentences(of content: String) -> [String] {
    var sentences: [String] = []
    var sentence = ""
    var mayEnd = false
    for character in content {
      if mayEnd, !character.isWhitespace, !closers.contains(character),
        sentence.last?.isWhitespace == true || sentence.last.map(wideTerminators.contains) == true
      {
        sentences.append(sentence)
        sentence = ""
        mayEnd = false
      }
      sentence.append(character)
      if character.isWhitespace || closers.contains(character) { continue }
      mayEnd =
        wideTerminators.contains(character)
        || terminators.contains(character) && !isAbbreviated(sentence)
    }
    if !sentence.isEmpty { sentences.append(sentence) }
    return sentences
  }

  /// Returns whether the final period belongs to an abbreviation or an initial.
  private static func isAbbreviated(_ text: String) -> Bool {
    guard text.last == "." else { return false }
    // One more character shows whether the word is longer than an abbreviation.
    let end = text.dropLast().suffix(longestAbbreviation + 1)
    let word = end.reversed().prefix { $0.isLetter || $0 == "." }
    let name = String(word.reversed())
    return abbreviations.contains(name)
      || name.count == 1 && name.first?.isUppercase == true && name != "I"
  }

  /// Splits a sentence between words into pieces that fit on a page, unless a single word is longer than a page.
  private static func pieces(_ sentence: String) -> [String] {
    guard sentence.count > limit else { return [sentence] }
    var pieces: [String] = []
    var piece = ""
    for word in words(of: sentence) {
      if !piece.isEmpty, piece.count + word.count > limit {
        pieces.append(piece)
        piece = ""
      }
      piece += word
    }
    return pieces + [piece]
  }

  /// Returns the words of a sentence, each with its trailing whitespace.
  private static func words(of sentence: String) -> [String] {
    var words: [String] = []
    var word = ""
    for character in sentence {
      if !character.isWhitespace, word.last?.isWhitespace == true {
        words.append(word)
        word = ""
      }
      word.append(character)
    }
    return words + [word]
  }
}
