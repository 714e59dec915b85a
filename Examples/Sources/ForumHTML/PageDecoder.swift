/// Converts the bytes of a page to text, using the charset of its `Content-Type` header.
///
/// The decoder accepts utf-8, and reads as windows-1252 every charset that browsers read as windows-1252, as well as pages
/// without a charset. A byte order mark takes precedence over the header. Stateless; the decoder never guesses from the content.
public enum PageDecoder {
  /// The size of the largest accepted page, in bytes.
  public static let sizeLimitInBytes = 8 * 1024 * 1024

  /// The charset names that browsers treat as windows-1252.
  private static let westernNames: Set<String> = [
    "windows-1252", "cp1252", "x-cp1252", "cp819", "ibm819", "iso-8859-1", "iso8859-1",
    "iso_8859-1", "latin1", "latin-1", "l1", "us-ascii", "ascii", "ansi_x3.4-1968",
  ]

  /// Decodes a page.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the page.
  ///   - contentType: The value of the `Content-Type` header; nil if there is none.
  /// - Returns: The text, without a byte order mark.
  /// - Throws: `PageError` with code `.empty`, `.tooLarge`, `.unsupportedCharset` or
  ///   `.undecodable`.
  public static func text(of bytes: [UInt8], contentType: String?) throws(PageError) -> String {
    try checkSize(of: bytes)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try unicodeText(of: bytes, from: 3) }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw PageError(
        .undecodable, "The page is encoded in UTF-16, which the forum does not use.", position: 0,
        marker: "utf-16")
    }
    switch charset(in: contentType) {
    case "utf-8"?, "utf8"?: return try unicodeText(of: bytes, from: 0)
    case let name? where !westernNames.contains(name):
      throw PageError(
        .unsupportedCharset, "The page is declared in an encoding that the forum does not use.",
        marker: name)
    default: return try westernText(of: bytes)
    }
  }

  /// Returns the charset named in a `Content-Type` header.
  ///
  /// - Parameter contentType: The value of the header.
  /// - Returns: The name in lower case; nil if the header names none.
  public static func charset(in contentType: String?) -> String? {
    guard let contentType else { return nil }
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "charset" else { continue }
      let name = trimmed(parts[1]).filter { $0 != "\"" && $0 != "'" }
      return name.isEmpty ? nil : name.lowercased()
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  private static func checkSize(of bytes: [UInt8]) throws(PageError) {
    guard bytes.count <= sizeLimitInBytes else {
      throw PageError(
        .tooLarge, "The page has \(bytes.count) bytes. The limit is \(sizeLimitInBytes) bytes.",
        position: sizeLimitInBytes)
    }
    guard bytes.contains(where: { $0 != 0x20 && !(0x09...0x0D).contains($0) }) else {
      throw PageError(.empty, "The page is empty.", position: 0)
    }
  }

  private static func unicodeText(of bytes: [UInt8], from start: Int) throws(PageError) -> String {
    guard let text = String(validating: bytes[start...], as: UTF8.self) else {
      throw PageError(
        .undecodable, "The page is declared as UTF-8 but is not valid UTF-8.",
        position: firstInvalidOffset(in: bytes, from: start), marker: "utf-8")
    }
    return text
  }

  /// Decodes windows-1252; text with many zero bytes is UTF-16 or binary, not a page.
  private static func westernText(of bytes: [UInt8]) throws(PageError) -> String {
    let zeros = bytes.lazy.filter { $0 == 0 }.count
    if zeros > bytes.count / 8, let position = bytes.firstIndex(of: 0) {
      throw PageError(
        .undecodable, "The page is not in a single-byte encoding.", position: position,
        marker: "windows-1252")
    }
    return Windows1252.decode(bytes)
  }

  private static func firstInvalidOffset(in bytes: [UInt8], from start: Int) -> Int {
    var decoder = UTF8()
    var iterator = bytes[start...].makeIterator()
    var offset = start
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput, .error: return offset
      }
    }
  }
}
