import Foundation

extension Value {
  /// The value as a literal of the format language.
  var predicateText: String {
    switch self {
    case .null: "nil"
    case .bool(let flag): flag ? "1" : "0"
    case .int(let integer): String(integer)
    case .double(let real): real.isFinite ? real.description : "CAST(\"\(real)\", \"NSNumber\")"
    case .date(let seconds): "CAST(\(Self.seconds(seconds)), \"NSDate\")"
    case .string(let text): Self.quoted(text)
    case .data(let data): Self.cast(data.base64EncodedString(), "NSData")
    case .uuid(let uuid): Self.cast(uuid.uuidString, "NSUUID")
    case .decimal(let box): Self.cast(box.decimal.description, "NSDecimalNumber")
    case .url(let url): Self.cast(url.absoluteString, "NSURL")
    case .object(let reference):
      Self.cast(
        "\(reference.entityToken):\(reference.storeToken):\(reference.key)", "NSManagedObjectID")
    case .list(let values): "{\(values.map(\.predicateText).joined(separator: ", "))}"
    }
  }

  /// Returns text in double quotes, with escapes for characters that could not be parsed back.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0": result += "\\0"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func cast(_ text: String, _ type: String) -> String {
    "CAST(\(quoted(text)), \"\(type)\")"
  }

  /// Returns seconds with six decimal places, as Apple writes them, or with more if six would
  /// change the date.
  private static func seconds(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "\"\(seconds)\"" }
    let short = String(format: "%.6f", seconds)
    return Double(short) == seconds ? short : seconds.description
  }
}
