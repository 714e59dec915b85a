import OpenStoreContract
import Testing

/// Texts of packed rows, which can contain any bytes in damaged files.
@Suite("Packed texts")
struct PackedTextTests {
  private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let text = bytes.withUnsafeBytes { String(packed: $0) }
    // Compares scalars, because equal texts can have different bytes.
    let expected = String(decoding: bytes, as: UTF8.self)
    #expect(Array(text.utf8) == Array(expected.utf8), "\(bytes)", sourceLocation: sourceLocation)
  }

  /// Checks bytes by themselves, and after enough other bytes that the text needs heap memory.
  private func checkAlsoInLongText(_ bytes: [UInt8]) {
    check(bytes)
    check(Array(Self.plain[..<16]) + bytes)
  }

  private static let plain = Array("the quick brown fox jumps over the lazy dog".utf8)

  /// Bytes at the limits that the Unicode standard defines for the positions in a sequence.
  private static let borders: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  @Test("well-formed text is read unchanged")
  func wellFormed() {
    for text in ["", "a", "héllo wörld", "日本語のテキスト", "🇨🇭 and 👩‍👩‍👧", "\u{10FFFF}\u{D7FF}\u{E000}"] {
      check(Array(text.utf8))
      check(Array(String(repeating: text, count: 40).utf8))
    }
  }

  @Test("malformed sequences of all kinds are repaired as Swift repairs them")
  func malformed() {
    for first in UInt8.min...UInt8.max {
      checkAlsoInLongText([first])
      for second in UInt8.min...UInt8.max { check([first, second]) }
      for second in Self.borders { checkAlsoInLongText([first, second]) }
    }
    for first in Self.borders {
      for second in Self.borders {
        for third in Self.borders {
          checkAlsoInLongText([first, second, third])
          for fourth in [0x41, 0x7F, 0x80, 0xBF, 0xC2] as [UInt8] {
            checkAlsoInLongText([first, second, third, fourth])
          }
        }
      }
    }
  }

  @Test("a truncated or invalid sequence is detected at any position in a long text")
  func positions() {
    let plain = Self.plain + Self.plain + Self.plain
    for position in plain.indices {
      for sequence: [UInt8] in [
        [0xC3, 0xA9], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98, 0x80], [0xFF],
      ] {
        check(Array(plain[..<position]) + sequence + Array(plain[position...]))
      }
      check(Array(plain[..<position]) + [0xE2, 0x82])
    }
  }
}
