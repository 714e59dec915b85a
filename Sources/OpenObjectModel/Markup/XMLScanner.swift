internal import Foundation

/// Reads an XML document token by token.
///
/// Foundation's parser rejects documents of more than ten megabytes, a size that stores reach. This
/// scanner has no size limit, stores only its position, and does not recurse. It supports the
/// contents of XML stores: elements with attributes, text, comments, CDATA sections, processing
/// instructions, and a document type without declarations. It expands the five predefined entities
/// of XML and character references, and rejects all other entities.
///
/// A scanner is confined to one read.
struct XMLScanner {
  /// A part of a document.
  enum Token {
    case start(String, [String: String])
    case end(String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var place = 0
  /// The name of an empty element, `<name/>`, whose start was just returned.
  private var emptyElement: String?

  /// Creates a scanner at the start of a document.
  ///
  /// - Throws: `MarkupFault` of kind `.foreign` if the data is not UTF-8 text.
  init(_ data: Data) throws(MarkupFault) {
    bytes = Array(data)
    // A zero byte is valid UTF-8, but not a character of XML.
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw MarkupFault(kind: .foreign, message: "The file is not an XML document in UTF-8.")
    }
  }

  /// Returns the next token; nil at the end of the document.
  ///
  /// - Throws: `MarkupFault` of kind `.damaged` if the document is not well-formed.
  mutating func next() throws(MarkupFault) -> Token? {
    if let name = emptyElement {
      emptyElement = nil
      return .end(name)
    }
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else { return .text(try text()) }
      if try skipMarkup() { continue }
      if starts(with: "<![CDATA[") {
        place += 9
        return .text(decoded(try bytes(until: "]]>")))
      }
      return try tag()
    }
    return nil
  }

  // MARK: Markup

  /// Skips a comment, a processing instruction or a document type.
  private mutating func skipMarkup() throws(MarkupFault) -> Bool {
    if starts(with: "<!--") {
      place += 4
      _ = try bytes(until: "-->")
    } else if starts(with: "<?") {
      _ = try bytes(until: "?>")
    } else if starts(with: "<!DOCTYPE") {
      let declaration = try bytes(until: ">")
      if declaration.contains(UInt8(ascii: "[")) {
        throw corrupt("The document type declaration contains other declarations")
      }
    } else {
      return false
    }
    return true
  }

  private mutating func tag() throws(MarkupFault) -> Token {
    place += 1
    if place < bytes.count, bytes[place] == UInt8(ascii: "/") {
      place += 1
      let name = try name()
      skipBlanks()
      try take(">")
      return .end(name)
    }
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      skipBlanks()
      guard place < bytes.count else { throw corrupt("A tag is incomplete") }
      if starts(with: "/>") {
        place += 2
        emptyElement = name
        return .start(name, attributes)
      }
      if bytes[place] == UInt8(ascii: ">") {
        place += 1
        return .start(name, attributes)
      }
      let key = try self.name()
      skipBlanks()
      try take("=")
      skipBlanks()
      guard attributes.updateValue(try quoted(), forKey: key) == nil else {
        throw corrupt("An attribute is specified twice")
      }
    }
  }

  private mutating func name() throws(MarkupFault) -> String {
    let start = place
    while place < bytes.count, Self.isName(bytes[place]) { place += 1 }
    guard place > start else { throw corrupt("A name is missing") }
    return decoded(bytes[start..<place])
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...0xFF:
      true
    default: false
    }
  }

  private mutating func quoted() throws(MarkupFault) -> String {
    guard place < bytes.count,
      bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
    else { throw corrupt("An attribute has no value") }
    let quote = bytes[place]
    place += 1
    let start = place
    while place < bytes.count, bytes[place] != quote {
      if bytes[place] == UInt8(ascii: "<") {
        throw corrupt("An attribute value contains an angle bracket")
      }
      place += 1
    }
    guard place < bytes.count else {
      throw corrupt("An attribute value has no closing quotation mark")
    }
    place += 1
    return try expanded(bytes[start..<place - 1])
  }

  private mutating func text() throws(MarkupFault) -> String {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    return try expanded(bytes[start..<place])
  }

  // MARK: Characters

  /// Returns text with references replaced and line breaks normalized.
  private func expanded(_ slice: ArraySlice<UInt8>) throws(MarkupFault) -> String {
    guard slice.contains(where: { $0 == UInt8(ascii: "&") || $0 == 0x0D }) else {
      return decoded(slice)
    }
    var result: [UInt8] = []
    result.reserveCapacity(slice.count)
    var index = slice.startIndex
    while index < slice.endIndex {
      switch slice[index] {
      case 0x0D:
        // Carriage return and line feed count as one line break.
        if index + 1 == slice.endIndex || slice[index + 1] != 0x0A { result.append(0x0A) }
        index += 1
      case UInt8(ascii: "&"):
        guard let end = slice[index...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
          throw corrupt("A reference has no closing semicolon")
        }
        result += try Array(character(decoded(slice[index + 1..<end])).utf8)
        index = end + 1
      default:
        result.append(slice[index])
        index += 1
      }
    }
    return decoded(result[...])
  }

  private func character(_ reference: String) throws(MarkupFault) -> String {
    switch reference {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    let number: UInt32? =
      if reference.hasPrefix("#x") {
        UInt32(reference.dropFirst(2), radix: 16)
      } else if reference
        .hasPrefix("#")
      { UInt32(reference.dropFirst()) } else { nil }
    guard let number, number > 0, let scalar = Unicode.Scalar(number) else {
      throw corrupt("A reference does not refer to a character")
    }
    return String(Character(scalar))
  }

  private func decoded(_ slice: ArraySlice<UInt8>) -> String {
    String(decoding: slice, as: UTF8.self)
  }

  // MARK: Places

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= bytes.count else { return false }
    for offset in 0..<count where bytes[place + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Returns the bytes up to a mark, and continues after the mark.
  private mutating func bytes(until mark: StaticString) throws(MarkupFault) -> ArraySlice<UInt8> {
    let start = place
    while place < bytes.count {
      if starts(with: mark) {
        defer { place += mark.utf8CodeUnitCount }
        return bytes[start..<place]
      }
      place += 1
    }
    throw corrupt("Markup is incomplete")
  }

  private mutating func skipBlanks() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func take(_ character: StaticString) throws(MarkupFault) {
    guard starts(with: character) else { throw corrupt("A character is missing") }
    place += 1
  }

  /// The line of the current position, starting at 1.
  private var line: Int { bytes[..<min(place, bytes.count)].count { $0 == 0x0A } + 1 }

  /// Creates the error for a document that is not well-formed.
  func corrupt(_ what: String) -> MarkupFault {
    MarkupFault(kind: .damaged, message: "\(what) on line \(line)")
  }
}
