import ForumHTML
import Foundation

/// The encoded body of a form: windows-1252 bytes, with other characters as decimal character references.
///
/// A value, created from the contents of a scraped form and the reader's input.
public struct FormBody: Sendable {
  /// A file to send with the form.
  public struct Attachment: Sendable {
    /// The name of the control.
    public let controlName: String
    /// The name of the file.
    public let fileName: String
    /// The media type of the content.
    public let contentType: String
    /// The content.
    public let bytes: [UInt8]

    /// Creates an attachment.
    ///
    /// - Parameters:
    ///   - controlName: The name of the control.
    ///   - fileName: The name of the file.
    ///   - contentType: The media type of the content.
    ///   - bytes: The content.
    public init(controlName: String, fileName: String, contentType: String, bytes: [UInt8]) {
      self.controlName = controlName
      self.fileName = fileName
      self.contentType = contentType
      self.bytes = bytes
    }
  }

  /// The value of the `Content-Type` header.
  public let contentType: String
  /// The bytes.
  public let bytes: [UInt8]

  /// Creates a URL-encoded body.
  ///
  /// - Parameter fields: The names and values, in order.
  public init(urlEncoding fields: [(String, String)]) {
    contentType = "application/x-www-form-urlencoded"
    bytes = Array(Self.query(fields.map { ($0, Self.withNetworkLineEnds($1)) }).utf8)
  }

  /// Creates a multipart body, which the forum's larger forms require.
  ///
  /// - Parameters:
  ///   - fields: The names and values, in order.
  ///   - attachments: The files.
  public init(multipart fields: [(String, String)], attachments: [Attachment] = []) {
    let boundary = "----form-\(UUID().uuidString)"
    var bytes: [UInt8] = []
    for (name, value) in fields {
      bytes += Self.head(boundary, "name=\"\(Self.quoted(name))\"")
      bytes += Windows1252.encode(Self.withNetworkLineEnds(value) + "\r\n")
    }
    for file in attachments {
      let names =
        "name=\"\(Self.quoted(file.controlName))\"; filename=\"\(Self.quoted(file.fileName))\""
      bytes += Self.head(boundary, names, contentType: file.contentType)
      bytes += file.bytes + Array("\r\n".utf8)
    }
    bytes += Array("--\(boundary)--\r\n".utf8)
    self.bytes = bytes
    contentType = "multipart/form-data; charset=windows-1252; boundary=\(boundary)"
  }

  /// Returns names and values as a URL query.
  ///
  /// - Parameter fields: The names and values, in order.
  /// - Returns: The query without a question mark.
  public static func query(_ fields: [(String, String)]) -> String {
    fields.map { "\(percentEncoded($0))=\(percentEncoded($1))" }.joined(separator: "&")
  }

  private static func percentEncoded(_ text: String) -> String {
    var result = ""
    for byte in Windows1252.encode(text) {
      let scalar = Unicode.Scalar(byte)
      if byte < 0x80,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-._~".unicodeScalars.contains(scalar)
      {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }

  private static func head(
    _ boundary: String, _ names: String, contentType: String? = nil
  ) -> [UInt8] {
    var head = "--\(boundary)\r\nContent-Disposition: form-data; \(names)\r\n"
    if let contentType { head += "Content-Type: \(contentType)\r\n" }
    return Windows1252.encode(head + "\r\n")
  }

  private static func quoted(_ name: String) -> String {
    name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  /// Returns a text with every line break replaced by a carriage return and a line feed.
  private static func withNetworkLineEnds(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar == "\r" || (scalar == "\n" && previous != "\r") {
        result.append(contentsOf: "\r\n".unicodeScalars)
      } else if scalar != "\n" {
        result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }
}
