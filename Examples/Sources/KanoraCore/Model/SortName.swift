import Foundation

/// Names as they are sorted: "The Beatles" is "Beatles, The".
public enum SortName {
  private static let articles = ["The", "A", "An"]

  /// The form that a name or title is sorted by: an article at its beginning is put to its end.
  public static func of(_ name: String) -> String {
    for article in articles {
      guard name.lowercased().hasPrefix("\(article.lowercased()) ") else { continue }
      let rest = name.dropFirst(article.count + 1).trimmingCharacters(in: .whitespaces)
      if rest.isEmpty { return name }
      return "\(rest), \(name.prefix(article.count))"
    }
    return name
  }

  /// The name in the order in which it is spoken: an article behind a comma at its end is put to its beginning.
  public static func inOrder(_ name: String) -> String {
    for article in articles where name.lowercased().hasSuffix(", \(article.lowercased())") {
      let rest = name.dropLast(article.count + 2).trimmingCharacters(in: .whitespaces)
      if rest.isEmpty { return name }
      return "\(name.suffix(article.count)) \(rest)"
    }
    return name
  }
}

/// Texts as they are compared in searches: without case and accents.
public enum SearchText {
  /// The text in small letters without accents, with typographic quotes and dashes as plain ones.
  public static func fold(_ text: String) -> String {
    let folded = text.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return String(String.UnicodeScalarView(folded.unicodeScalars.map { plain[$0] ?? $0 }))
  }

  private static let plain: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{2018}": "'", "\u{2019}": "'", "\u{201C}": "\"", "\u{201D}": "\"", "\u{2010}": "-",
    "\u{2013}": "-", "\u{2014}": "-",
  ]
}
