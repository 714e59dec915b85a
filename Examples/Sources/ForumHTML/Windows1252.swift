/// The 256 characters of windows-1252, as browsers decode and encode them.
///
/// The five unassigned bytes represent the control characters of the same number. The table replaces the system's converters,
/// which reject a whole page because of one such byte.
public enum Windows1252 {
  /// The characters of the bytes 0x80 to 0x9F; every other byte has the number of its character.
  private static let upperControls: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]

  /// The scalar of every byte.
  static let scalars: [Unicode.Scalar] = (0..<256).map { byte in
    guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(UInt8(byte)) }
    return Unicode.Scalar(upperControls[byte - 0x80]) ?? Unicode.Scalar(UInt8(byte))
  }

  /// The byte of every scalar in the table.
  static let bytes: [Unicode.Scalar: UInt8] = Dictionary(
    uniqueKeysWithValues: scalars.enumerated().map { ($0.element, UInt8($0.offset)) })

  /// Decodes bytes. Every byte has a character, so decoding cannot fail.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: The text.
  public static func decode(_ bytes: some Sequence<UInt8>) -> String {
    bytes.withContiguousStorageIfAvailable { decode(buffer: $0) }
      ?? Array(bytes).withUnsafeBufferPointer { decode(buffer: $0) }
  }

  /// Decodes bytes through UTF-8, because appending scalars to a string takes several times as long.
  private static func decode(buffer bytes: UnsafeBufferPointer<UInt8>) -> String {
    let scalars = scalars
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte < 0x80 { text.append(byte) } else { text += scalars[Int(byte)].utf8 }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Encodes text; characters outside the table become decimal character references.
  ///
  /// - Parameter text: The text.
  /// - Returns: The bytes.
  public static func encode(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let byte = bytes[scalar] {
        result.append(byte)
      } else {
        result.append(contentsOf: Array("&#\(scalar.value);".utf8))
      }
    }
    return result
  }
}
