/// The text of a store file while it is written.
struct XMLText {
  private(set) var bytes: [UInt8] = []

  /// Appends markup without escaping.
  mutating func append(_ markup: String) { bytes += Array(markup.utf8) }

  /// Appends a text, and escapes the characters that have a meaning in XML.
  mutating func append(escaping text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "<"): append("&lt;")
      case UInt8(ascii: ">"): append("&gt;")
      case UInt8(ascii: "\""): append("&quot;")
      case 0x0D: append("&#13;")
      default: bytes.append(byte)
      }
    }
  }

  /// Returns whether XML can contain a text; XML does not allow most control characters.
  static func canSay(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: true
      case ..<0x20, 0xFFFE, 0xFFFF: false
      default: true
      }
    }
  }
}
