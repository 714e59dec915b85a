import OpenStoreContract
import Testing

/// Texts of packed rows, which damaged files may fill with anything.
@Suite("Packed texts")
struct PackedTextTests {
  private func check(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    let text = bytes.withUnsafeBytes { String(packed: $0) }
    // Compared by scalars: equal texts may have other bytes.
    let expected = String(decoding: bytes, as: UTF8.self)
    #expect(Array(text.utf8) == Array(expected.utf8), "\(bytes)", sourceLocation: sourceLocation)
  }

  /// Checks bytes by themselves, and behind as many others as make a text that has memory of its own.
  private func checkAlsoInLongText(_ bytes: [UInt8]) {
    check(bytes)
    check(Array(Self.plain[..<16]) + bytes)
  }

  private static let plain = Array("the quick brown fox jumps over the lazy dog".utf8)

  /// Bytes at the borders of what the Unicode standard allows at some place of a sequence.
  private static let borders: [UInt8] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
  ]

  @Test("well-formed text is read as it is")
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

  @Test("a sequence that is cut off or broken is found wherever it stands in a long text")
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
