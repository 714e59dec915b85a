import Foundation

/// Decodes queries and forms as the site does: the bytes are windows-1252, and numeric character references represent all other
/// characters.
enum FormDecoder {
  typealias Field = (name: String, value: String)

  /// The encoding of percent-encoded bytes. The search form requests UTF-8; bytes that are not UTF-8 are windows-1252 there too.
  enum Charset {
    case windows1252, utf8
  }

  /// Returns the fields by name; the last of several fields with the same name counts.
  static func byName(_ fields: [Field]) -> [String: String] {
    Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns the fields of a body, decoded by its content type; an unknown type has no fields.
  static func fields(
    body: Data, contentType: String?, charset: Charset = .windows1252
  ) -> [Field] {
    guard !body.isEmpty, let contentType else { return [] }
    if contentType.lowercased().hasPrefix("multipart/form-data") {
      return boundary(contentType).map { fields(multipart: body, boundary: $0) } ?? []
    }
    return fields(urlEncoded: String(decoding: body, as: UTF8.self), charset: charset)
  }

  /// Returns the fields of a query or of a URL-encoded form.
  static func fields(urlEncoded text: String, charset: Charset = .windows1252) -> [Field] {
    var fields: [Field] = []
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first else { continue }
      fields.append((decoded(name, charset), parts.count > 1 ? decoded(parts[1], charset) : ""))
    }
    return fields
  }

  private static func decoded(_ text: Substring, _ charset: Charset) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    let text = charset == .utf8 ? String(validating: bytes, as: UTF8.self) : nil
    return resolvingReferences(text ?? Windows1252.text(Data(bytes)))
  }

  /// Replaces references such as `&#9731;` with their characters, and leaves all other text unchanged.
  static func resolvingReferences(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "&#") {
      result += rest[..<start.lowerBound]
      let tail = rest[start.upperBound...]
      let digits = tail.prefix { $0.isASCII && $0.isNumber }
      let isClosed = tail[digits.endIndex...].first == ";"
      if isClosed, let scalar = UInt32(digits).flatMap(Unicode.Scalar.init) {
        result.unicodeScalars.append(scalar)
        rest = tail[digits.endIndex...].dropFirst()
      } else {
        result += rest[start]
        rest = tail
      }
    }
    return result + rest
  }

  private static func boundary(_ contentType: String) -> String? {
    guard let start = contentType.firstRange(of: "boundary=") else { return nil }
    let value = contentType[start.upperBound...].prefix { $0 != ";" }
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    return value.isEmpty ? nil : value
  }

  /// Returns the fields of a multipart form, without its files.
  private static func fields(multipart body: Data, boundary: String) -> [Field] {
    var fields: [Field] = []
    for part in Windows1252.text(body).components(separatedBy: "--\(boundary)") {
      guard let blank = part.firstRange(of: "\r\n\r\n"),
        case let head = part[..<blank.lowerBound], !head.contains("filename="),
        let start = head.firstRange(of: "name=\"")
      else { continue }
      let name = head[start.upperBound...].prefix { $0 != "\"" }
      var value = part[blank.upperBound...]
      if value.hasSuffix("\r\n") { value = value.dropLast() }
      fields.append((String(name), resolvingReferences(String(value))))
    }
    return fields
  }
}
