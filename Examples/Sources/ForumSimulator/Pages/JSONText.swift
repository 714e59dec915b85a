/// A JSON value with a fixed text form: members in the given order, ASCII only.
indirect enum JSONText {
  case object([(String, JSONText)])
  case array([JSONText])
  case string(String)
  case number(Int)
  /// A nonnegative number with two decimal places, given in hundredths.
  case hundredths(Int)
  case boolean(Bool)

  var text: String {
    switch self {
    case .object(let members):
      let parts = members.map { "\(Self.quoted($0.0)):\($0.1.text)" }
      return "{\(parts.joined(separator: ","))}"
    case .array(let elements): return "[\(elements.map(\.text).joined(separator: ","))]"
    case .string(let string): return Self.quoted(string)
    case .number(let number): return "\(number)"
    case .hundredths(let number):
      return "\(number / 100).\(number % 100 < 10 ? "0" : "")\(number % 100)"
    case .boolean(let boolean): return "\(boolean)"
    }
  }

  private static func quoted(_ string: String) -> String {
    var result = "\""
    for unit in string.utf16 {
      switch unit {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x20...0x7E: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result + "\""
  }
}
