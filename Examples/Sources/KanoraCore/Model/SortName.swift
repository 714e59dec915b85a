import Foundation

/// The sort form of names: "The Beatles" becomes "Beatles, The".
public enum SortName {
  private static let articles = ["The", "A", "An"]

  /// Returns the sort form of a name or title, with a leading article moved to the end.
  public static func of(_ name: String) -> String {
    for article in articles {
      guard name.lowercased().hasPrefix("\(article.lowercased()) ") else { continue }
      let rest = name.dropFirst(article.count + 1).trimmingCharacters(in: .whitespaces)
      if rest.isEmpty { return name }
      return "\(rest), \(name.prefix(article.count))"
    }
    return name
  }

  /// Returns the spoken form of a name, with an article after a trailing comma moved to the beginning.
  public static func inOrder(_ name: String) -> String {
    for article in articles where name.lowercased().hasSuffix(", \(article.lowercased())") {
      let rest = name.dropLast(article.count + 2).trimmingCharacters(in: .whitespaces)
      if rest.isEmpty { return name }
      return "\(name.suffix(article.count)) \(rest)"
    }
    return name
  }
}

/// The form of texts used to compare them in searches, without case and accents.
public enum SearchText {
  /// Returns the text in lowercase without accents, with typographic quotes and dashes replaced by plain ones.
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
