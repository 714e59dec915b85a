import ForumHTML

/// Conversions between markup and text.
enum HTMLText {
  /// Returns text with its character references resolved.
  ///
  /// - Parameter text: The text, such as a title in the forum index.
  /// - Returns: The plain text; the text itself if it contains no reference.
  static func resolvingReferences(in text: String) throws -> String {
    guard text.contains("&") else { return text }
    let markup = text.replacing("<", with: "&lt;")
    return try HTMLParser.parse("<!DOCTYPE html><body>" + markup).body.text
  }
}
