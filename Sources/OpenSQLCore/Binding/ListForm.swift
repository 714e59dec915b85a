import Foundation
package import OpenPredicates
import OpenStoreContract

/// The form of a list of values in a statement. Lists of similar length have the same form, so that
/// statements with such lists share one text.
package enum ListForm: Sendable, Hashable {
  /// No placeholders, for a list without elements other than null.
  case empty
  /// The given number of placeholders.
  case members(Int)
  /// One placeholder for an array.
  case array
  /// One placeholder for a table of distinct values; an index finds the rows for each value.
  case table
  /// One placeholder for a JSON array.
  case json
  /// One placeholder for a JSON array of strings that contain their type, for values that JSON
  /// cannot represent.
  case taggedJSON

  /// The maximum number of elements of a list with one placeholder for each element.
  private static let longest = 1000

  /// Creates the form of a list. Null elements are ignored, and a value that is not a list is
  /// treated as an empty list.
  package init(_ value: Value) {
    guard case .list(let members) = value else {
      self = .empty
      return
    }
    let count = members.lazy.filter { $0 != .null }.count
    if count == 0 {
      self = .empty
    } else if count > Self.longest {
      self = members.allSatisfy(Self.isJSON) ? .json : .taggedJSON
    } else {
      self = .members(Self.bucket(for: count))
    }
  }

  /// Returns the number of placeholders for a list of the given length.
  ///
  /// The result is the least power of two that is not less than the length. For lengths from 513 to
  /// 1,000, the result is 1,000.
  package static func bucket(for count: Int) -> Int {
    if count > 512, count <= longest { return longest }
    var bucket = 1
    while bucket < count { bucket *= 2 }
    return bucket
  }

  /// A number of 5 bits that identifies the form.
  package var code: UInt64 {
    switch self {
    case .empty: 0
    case .table: 28
    case .array: 27
    case .json: 31
    case .taggedJSON: 29
    case .members(let count): count == Self.longest ? 30 : UInt64(count.trailingZeroBitCount + 1)
    }
  }

  private static func isJSON(_ value: Value) -> Bool {
    switch value {
    case .null, .int, .bool, .object, .url: true
    // SQLite's JSON ends a text at its first zero byte.
    case .string(let text): !text.utf8.contains(0)
    default: false
    }
  }

  /// Returns the elements of a list except nulls; an empty array if the value is not a list.
  package static func members(of value: Value) -> [Value] {
    guard case .list(let members) = value else { return [] }
    return members.contains(.null) ? members.filter { $0 != .null } : members
  }

  /// Returns a list as a JSON array, without the elements that JSON cannot represent, such as data,
  /// UUIDs and NaN.
  package static func json(of value: Value) -> String {
    var text = "["
    for member in members(of: value) {
      guard let element = element(member) else { continue }
      if text.utf8.count > 1 { text += "," }
      text += element
    }
    return text + "]"
  }

  /// Returns a list as a JSON array of integers and of strings. Each string begins with a letter
  /// that identifies its type.
  ///
  /// - Parameter target: The operand that is compared with the elements. The operand determines the
  ///   form of the elements, as for elements with separate placeholders.
  package static func taggedJSON(of value: Value, for target: SQLTarget) -> String {
    let elements = members(of: value).compactMap { taggedElement(target.content(of: $0)) }
    return "[" + elements.joined(separator: ",") + "]"
  }

  private static func taggedElement(_ content: SlotContent) -> String? {
    switch content {
    case .null: nil
    case .integer(let integer): String(integer)
    case .real(let real): quoted("r\(real)")
    case .data(let data): quoted("b" + data.base64EncodedString())
    case .text(let text) where text.utf8.contains(0):
      quoted("z" + Data(text.utf8).base64EncodedString())
    case .text(let text): quoted("t" + text)
    }
  }

  /// Returns the value of a string in the array that ``taggedJSON(of:for:)`` returns, or null if
  /// the string is malformed.
  package static func value(ofTagged text: String) -> Value {
    // The letter and a combining mark after it are one character, but two scalars.
    let rest = String(text.unicodeScalars.dropFirst())
    return switch text.unicodeScalars.first {
    case "r": Double(rest).map(Value.double) ?? .null
    case "b": Data(base64Encoded: rest).map(Value.data) ?? .null
    case "t": .string(rest)
    case "z":
      Data(base64Encoded: rest).map { data in
        .string(String(decoding: data, as: UTF8.self))
      } ?? .null
    default: .null
    }
  }

  private static func element(_ value: Value) -> String? {
    switch value {
    case .int(let integer): return String(integer)
    case .bool(let flag): return flag ? "1" : "0"
    case .object(let reference): return String(reference.key)
    case .double(let real), .date(let real): return real.isFinite ? "\(real)" : nil
    case .string(let text): return quoted(text)
    case .url(let url): return quoted(url.absoluteString)
    default: return nil
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
