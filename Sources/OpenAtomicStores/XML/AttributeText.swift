import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Converts attribute values to and from the text in an XML store.
enum AttributeText {
  /// Returns the name of an attribute type in the file.
  static func typeName(of type: AttributeType) -> String {
    switch type {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64, .objectID: "int64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string, .undefined, .composite: "string"
    case .boolean: "bool"
    case .date: "date"
    case .binaryData, .transformable: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    }
  }

  /// Returns whether a string must be written in Base64, because XML does not allow one of its
  /// characters.
  ///
  /// - Returns: `true` if the content is a string that XML does not allow; `false` for any other
  ///   content.
  static func isEncoded(_ content: SlotContent) -> Bool {
    if case .text(let text) = content { return !XMLText.canSay(text) }
    return false
  }

  /// Writes the content of a slot.
  static func write(_ content: SlotContent, of type: AttributeType, to text: inout XMLText) {
    switch content {
    case .null: break
    case .integer(let integer): text.append("\(integer)")
    case .real(let real): text.append("\(real)")
    case .text(let string):
      if XMLText.canSay(string) {
        text.append(escaping: string)
      } else {
        text.append(Data(string.utf8).base64EncodedString())
      }
    case .data(let data):
      if type == .uuid, data.count == 16 {
        let bytes = data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
        text.append(UUID(uuid: bytes).uuidString)
      } else {
        text.append(data.base64EncodedString())
      }
    }
  }

  /// Returns the value that a text represents; nil if the text is not valid for the type.
  ///
  /// - Parameter isEncoded: Whether the text is marked as Base64.
  static func value(_ text: String, of type: AttributeType, isEncoded: Bool) -> Value? {
    if isEncoded {
      guard let data = Data(base64Encoded: text),
        let plain = String(validating: data, as: UTF8.self)
      else { return nil }
      return value(plain, of: type, isEncoded: false)
    }
    switch type {
    case .string, .uri: return .string(text)
    case .binaryData, .transformable:
      return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data($0) }
    default: return plainValue(text.trimmingCharacters(in: .whitespacesAndNewlines), of: type)
    }
  }

  private static func plainValue(_ text: String, of type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64, .objectID, .boolean: Int64(text).map { .int($0) }
    case .double, .float: Double(text).map { .double($0) }
    case .date: Double(text).map { .date($0) }
    case .decimal: DecimalText.value(text).map { .decimal(DecimalValue($0)) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }
}

/// Converts texts to decimal numbers.
enum DecimalText {
  /// Returns the number that a text consists of; nil if the text contains anything else.
  static func value(_ text: String) -> Decimal? {
    let isNumber = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    return isNumber ? Decimal(string: text) : nil
  }
}
