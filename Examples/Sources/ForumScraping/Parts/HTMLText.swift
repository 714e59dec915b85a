import ForumHTML

/// Small conversions between markup and text.
enum HTMLText {
  /// Text as markup.
  ///
  /// - Parameter text: The text.
  /// - Returns: The markup that shows it.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\u{A0}": result += "&nbsp;"
      default: result.append(character)
      }
    }
    return result
  }

  /// Text whose character references are resolved.
  ///
  /// - Parameter text: The text, such as a title in the forum index.
  /// - Returns: The plain text; the text itself when it holds no reference.
  static func resolvingReferences(in text: String) throws -> String {
    guard text.contains("&") else { return text }
    let markup = text.replacing("<", with: "&lt;")
    return try HTMLParser.parse("<!DOCTYPE html><body>" + markup).body.text
  }
}
