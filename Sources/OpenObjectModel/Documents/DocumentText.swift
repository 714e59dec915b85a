/// The text of an XML document that is being written, in Xcode's layout with four spaces for each
/// level.
struct DocumentText {
  /// XML attributes in order; attributes without a value are omitted.
  typealias Attributes = [(name: String, value: String?)]

  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  /// The first string with a character that XML cannot represent.
  private(set) var unsayable: String?
  private var depth = 0

  /// Writes an element; `children` writes its contents.
  mutating func element<Failure: Error>(
    _ name: String, _ attributes: Attributes = [],
    children: (inout DocumentText) throws(Failure) -> Void
  ) throws(Failure) {
    start(name, attributes)
    let start = text.endIndex
    let written = text.utf8.count
    text += ">\n"
    depth += 1
    try children(&self)
    depth -= 1
    if text.utf8.count == written + 2 {
      text.replaceSubrange(start..., with: "/>\n")
    } else {
      text += indentation + "</\(name)>\n"
    }
  }

  /// Writes an element without children.
  mutating func element(_ name: String, _ attributes: Attributes = []) {
    start(name, attributes)
    text += "/>\n"
  }

  private var indentation: String { String(repeating: "    ", count: depth) }

  private mutating func start(_ name: String, _ attributes: Attributes) {
    text += indentation + "<" + name
    for case (let name, let value?) in attributes {
      text += " \(name)=\"\(escaped(value))\""
    }
  }

  private mutating func escaped(_ value: String) -> String {
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // Line breaks and tabs would be read back as spaces.
      case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
      default:
        if scalar.value < 0x20 || (0xFFFE...0xFFFF).contains(scalar.value) {
          unsayable = unsayable ?? value
        }
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
