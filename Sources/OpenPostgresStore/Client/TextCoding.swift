import Glibc

/// Converts strings for the server, because PostgreSQL rejects U+0000.
///
/// U+0000 is stored as U+0001 U+0001, and U+0001 as U+0001 U+0002, so that order, equality and
/// prefixes are preserved.
enum TextCoding {
  /// Whether bytes of the server contain converted characters.
  static func isConverted(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return memchr(start, 1, bytes.count) != nil
  }

  /// Whether the server needs other bytes than the UTF-8 bytes of a string.
  static func needsConversion(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return memchr(start, 0, bytes.count) != nil || memchr(start, 1, bytes.count) != nil
  }

  /// Returns the bytes of a string for the server.
  static func encoded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 <= 1 }) else { return bytes }
    return bytes.flatMap { $0 <= 1 ? [1, $0 + 1] : [$0] }
  }

  /// Returns the string for bytes of the server.
  static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard isConverted(bytes) else { return String(decoding: bytes, as: UTF8.self) }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var isEscaped = false
    for byte in bytes {
      if !isEscaped, byte == 1 {
        isEscaped = true
        continue
      }
      // The bytes may be those of a type that another program gave to the column.
      plain.append(isEscaped ? byte &- 1 : byte)
      isEscaped = false
    }
    return String(decoding: plain, as: UTF8.self)
  }
}
