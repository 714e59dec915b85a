import Foundation

/// The site's character set: one byte for each character, and numeric references for all other characters.
enum Windows1252 {
  /// The characters of the bytes 80 to 9F; the five unassigned bytes keep their control characters.
  private static let upperControls: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static let bytes: [UInt32: UInt8] = Dictionary(
    upperControls.enumerated().map { ($1, UInt8(0x80 + $0)) },
    uniquingKeysWith: { first, _ in first })

  /// Encodes HTML; a character outside the set becomes a reference such as `&#9731;`.
  static func data(_ html: String) -> Data {
    var data: [UInt8] = []
    data.reserveCapacity(html.utf8.count)
    for scalar in html.unicodeScalars {
      let value = scalar.value
      if value < 0x80 || (0xA0...0xFF).contains(value) {
        data.append(UInt8(value))
      } else if let byte = bytes[value] {
        data.append(byte)
      } else {
        data.append(contentsOf: "&#\(value);".utf8)
      }
    }
    return Data(data)
  }

  /// Decodes bytes; every byte has a character.
  static func text(_ data: Data) -> String {
    var text = String.UnicodeScalarView()
    for byte in data {
      let value = (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : UInt32(byte)
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }
}
