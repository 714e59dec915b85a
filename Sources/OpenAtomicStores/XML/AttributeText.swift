import Foundation
import OpenObjectModel
import OpenPredicates
import OpenStoreContract

/// Values of attributes as the text of an XML store has them.
enum AttributeText {
  /// What the file calls an attribute's type.
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

  /// Writes a value; one that XML cannot say is written in Base64, and marked so.
  ///
  /// - Returns: Whether the text is in Base64 although the type is none of data.
  static func isEncoded(_ content: SlotContent) -> Bool {
    if case .text(let text) = content { return !XMLText.canSay(text) }
    return false
  }

  /// Writes a value of a slot.
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

  /// The value that a text represents; nil for a text that is not valid for the type.
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

/// Decimal numbers as texts.
enum DecimalText {
  /// The number that the whole text is; nil for any other text.
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
