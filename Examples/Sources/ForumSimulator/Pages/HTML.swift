/// Escaping of plain text for pages.
enum HTML {
  /// Text between tags or in a quoted attribute.
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

  /// A text area; a text that starts with a line end needs one more, because parsers drop the first.
  static func textArea(_ name: String, _ text: String) -> String {
    let start = text.hasPrefix("\n") ? "\n" : ""
    return "<textarea name=\"\(name)\" rows=\"20\" cols=\"83\">\(start)\(escaped(text))</textarea>"
  }
}
