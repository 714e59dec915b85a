/// A value that a command prints. The fields of objects keep their order.
package indirect enum OutputValue: Sendable, Equatable {
  /// No value.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A string.
  case text(String)
  /// A list of values.
  case list([OutputValue])
  /// An object with its fields in order.
  case object([Field])

  /// A field of an object, with its key and value.
  package struct Field: Sendable, Equatable {
    package let key: String
    package let value: OutputValue

    package init(_ key: String, _ value: OutputValue) {
      self.key = key
      self.value = value
    }
  }

  /// The value as one line of JSON. NaN and infinity become strings, such as `"NaN"`.
  package var json: String {
    switch self {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .integer(let integer): return String(integer)
    case .real(let real): return Self.json(of: real)
    case .text(let text): return Self.quoted(text)
    case .list(let values): return "[" + values.map(\.json).joined(separator: ",") + "]"
    case .object(let fields):
      return "{"
        + fields.map { Self.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
    }
  }

  /// The text of the value in a cell of a table; empty for null.
  package var cell: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .real: json.replacing("\"", with: "")
    case .list(let values): values.map(\.cell).joined(separator: " ")
    default: json
    }
  }

  /// Returns a number as JSON. NaN and infinite numbers, which JSON does not support, become
  /// strings.
  private static func json(of real: Double) -> String {
    if real.isNaN { return "\"NaN\"" }
    if real.isInfinite { return real > 0 ? "\"Infinity\"" : "\"-Infinity\"" }
    return "\(real)"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
