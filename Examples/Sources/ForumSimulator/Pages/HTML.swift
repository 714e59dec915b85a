/// Escaping of plain text for pages.
enum HTML {
  /// Returns text that is escaped for use between tags or in a quoted attribute.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }

  /// Returns a text area. A text that starts with a line break gets another one, because parsers drop the first line break.
  static func textArea(_ name: String, _ text: String) -> String {
    let start = text.hasPrefix("\n") ? "\n" : ""
    return "<textarea name=\"\(name)\" rows=\"20\" cols=\"83\">\(start)\(escaped(text))</textarea>"
  }
}
