/// Finds the tags of a page as the HTML tokenizer does, without building a tree.
///
/// A value over the bytes of one page that moves only forward. It recognizes quotes, comments and raw text, but not the tree
/// structure.
struct TagScanner {
  /// A start or end tag.
  struct Tag {
    let name: String
    let isEnd: Bool
    let attributeCount: Int
    let position: Int
  }

  private static let sectionMark: StaticString = "![CDATA["

  private let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the next tag.
  ///
  /// - Returns: The tag; nil at the end of the page.
  mutating func nextTag() -> Tag? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      let start = position
      position += 1
      if matches("!--") {
        skipComment()
      } else if matches(Self.sectionMark) {
        return Tag(
          name: "![CDATA[", isEnd: false, attributeCount: 0, position: start)
      } else if byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") {
        skip(past: ">")
      } else if byte == UInt8(ascii: "/") {
        position += 1
        if isLetter { return tag(from: start, .end) }
        skip(past: ">")
      } else if isLetter {
        return tag(from: start, .start)
      }
    }
    return nil
  }

  /// Skips a marked section: to its own end in foreign content, otherwise to the end of the bogus comment.
  ///
  /// - Parameter isForeign: Whether foreign content may be open.
  /// - Returns: The names of potential start tags in the section.
  mutating func skipSection(isForeign: Bool) -> [String] {
    var starts: [String] = []
    while position < bytes.count {
      if isForeign ? matches("]]>") : byte == UInt8(ascii: ">") { break }
      let isTag = byte == UInt8(ascii: "<")
      position += 1
      if isTag, isLetter { starts.append(readName()) }
    }
    return starts
  }

  /// Skips raw text and the end tag that ends it.
  ///
  /// - Parameter name: The name of the raw text element.
  /// - Returns: The names of potential start tags in the text.
  mutating func skipRawText(endingWith name: String) -> [String] {
    var starts: [String] = []
    var isEscaped = false
    var isEscapedTwice = false
    while position < bytes.count {
      if name == "script", matches("<!--") { isEscaped = true }
      if matches("-->") {
        isEscaped = false
        isEscapedTwice = false
      }
      guard bytes[position] == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      position += 1
      let isEnd = byte == UInt8(ascii: "/")
      if isEnd { position += 1 }
      guard isLetter else { continue }
      let found = readName()
      switch (isEnd, found == name) {
      case (true, true) where isEscapedTwice: isEscapedTwice = false
      case (true, true):
        _ = readAttributes()
        return starts
      case (false, true) where isEscaped: isEscapedTwice = true
      case (false, _): starts.append(found)
      default: continue
      }
    }
    return starts
  }

  private enum Side { case start, end }

  private mutating func tag(from start: Int, _ side: Side) -> Tag {
    let name = readName()
    let attributeCount = readAttributes()
    return Tag(
      name: name, isEnd: side == .end, attributeCount: attributeCount, position: start)
  }

  private mutating func readName() -> String {
    let start = position
    while position < bytes.count, !isSpace, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
      position += 1
    }
    return String(decoding: bytes[start..<min(position, start + 64)], as: UTF8.self).lowercased()
  }

  /// Reads to the end of a tag, respecting quoted values, and returns the number of attributes.
  private mutating func readAttributes() -> Int {
    var count = 0
    while position < bytes.count {
      if byte == UInt8(ascii: ">") {
        position += 1
        return count
      }
      if isSpace || byte == UInt8(ascii: "/") {
        position += 1
        continue
      }
      count += 1
      skipAttribute()
    }
    return count
  }

  private mutating func skipAttribute() {
    position += 1
    while position < bytes.count, !isSpace, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/"),
      byte != UInt8(ascii: "=")
    {
      position += 1
    }
    let afterName = position
    skipSpaces()
    guard byte == UInt8(ascii: "=") else {
      position = afterName
      return
    }
    position += 1
    skipSpaces()
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      let quote = byte
      position += 1
      while position < bytes.count, byte != quote { position += 1 }
      position += 1
    } else {
      while position < bytes.count, !isSpace, byte != UInt8(ascii: ">") { position += 1 }
    }
  }

  private mutating func skipComment() {
    position += 3
    if byte == UInt8(ascii: ">") || matches("->") { return }
    while position < bytes.count {
      if matches("-->") || matches("--!>") { return }
      position += 1
    }
  }

  private mutating func skip(past end: StaticString) {
    while position < bytes.count, !matches(end) { position += 1 }
  }

  private mutating func skipSpaces() {
    while position < bytes.count, isSpace { position += 1 }
  }

  /// The byte at the position; zero at the end of the page.
  private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private var isSpace: Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  private var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private func matches(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { wanted in
      guard position + wanted.count <= bytes.count else { return false }
      for offset in 0..<wanted.count where bytes[position + offset] != wanted[offset] {
        return false
      }
      return true
    }
  }
}
