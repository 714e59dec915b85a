import Synchronization

/// A query for a full-text search, as a user types it.
///
/// Every string is a valid query.
/// - `apple pie`: Both words occur anywhere in the text. Case and diacritics are ignored.
/// - `"apple pie"`: The words occur in this order, without other words between them. A word with
///   punctuation inside, such as `e-mail`, is treated like the quoted phrase `"e mail"`.
/// - `app*`, `"apple p"*`: The word, or the last word of the phrase, is a prefix of a word in the
///   text.
/// - `apple OR pear`, `apple NOT pie`, `apple AND pie`: Uppercase `OR`, `NOT` and `AND` between two
///   words are operators. At other positions, `OR`, `NOT` and `AND` are words. `OR` has the lowest
///   precedence.
///
/// All other punctuation separates words. A query without words matches nothing.
///
/// This is an addition to Apple's API.
///
/// ```swift
/// request.predicate = NSPredicate(search: TextQuery("kernel \"system call\" sched*"))
/// ```
///
/// > Concurrency: Usable on any thread.
public struct TextQuery: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// Words that follow each other.
  private struct Phrase: Hashable, Sendable {
    var words: WordList
    /// Whether the last word may be a prefix of a word.
    var isPrefix: Bool
  }

  /// The phrases that a text must contain, and those that it must not contain.
  private struct Group: Hashable, Sendable {
    var required: [Phrase] = []
    var excluded: [Phrase] = []
  }

  /// The text from which the query was parsed.
  public let text: String
  /// The alternatives, at least one of which must be satisfied.
  private let groups: [Group]

  /// Parses a query.
  ///
  /// - Parameter text: The text that a user typed.
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ text: String) {
    self.text = text
    groups = Self.groups(of: Self.items(of: text))
  }

  /// Parses a string literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// Whether the query has no words and therefore matches nothing.
  public var isEmpty: Bool { groups.isEmpty }

  /// The text from which the query was parsed.
  public var description: String { text }

  /// Returns whether a text matches the query.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public func matches(_ text: String) -> Bool { matches([text]) }

  /// Returns whether several texts together match the query; each phrase must be inside one text.
  package func matches(_ texts: [String]) -> Bool {
    if isEmpty { return false }
    let lists = texts.map { WordList($0) }
    func has(_ phrase: Phrase) -> Bool {
      lists.contains { $0.contains(phrase.words, isPrefix: phrase.isPrefix) }
    }
    return groups.contains { group in
      group.required.allSatisfy(has) && !group.excluded.contains(where: has)
    }
  }

  // MARK: Reading

  private enum Item {
    case phrase(Phrase)
    /// A word that may be an operator.
    case word(String)
  }

  private static let operators: Set<String> = ["AND", "OR", "NOT"]

  private static func items(of text: String) -> [Item] {
    var items: [Item] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if first.properties.isWhitespace {
        rest.removeFirst()
        continue
      }
      let isQuoted = first == "\""
      if isQuoted { rest.removeFirst() }
      let part = rest.prefix { isQuoted ? $0 != "\"" : $0 != "\"" && !$0.properties.isWhitespace }
      rest = rest[part.endIndex...]
      if isQuoted, !rest.isEmpty { rest.removeFirst() }
      let isPrefix = isQuoted ? rest.first == "*" : part.last == "*"
      if isQuoted, isPrefix { rest.removeFirst() }
      if !isQuoted, operators.contains(String(part)) {
        items.append(.word(String(part)))
      } else if let phrase = phrase(Substring(part), isPrefix) {
        items.append(.phrase(phrase))
      }
    }
    return items
  }

  private static func phrase(_ text: Substring, _ isPrefix: Bool) -> Phrase? {
    let words = WordList(text)
    return words.count > 0 ? Phrase(words: words, isPrefix: isPrefix) : nil
  }

  private static func groups(of items: [Item]) -> [Group] {
    var groups: [Group] = []
    var current = Group()
    var excludesNext = false
    for (position, item) in items.enumerated() {
      switch item {
      case .phrase(let phrase):
        if excludesNext { current.excluded.append(phrase) } else { current.required.append(phrase) }
        excludesNext = false
      case .word(let name):
        if stands(at: position, in: items), !current.required.isEmpty {
          if name == "OR" {
            groups.append(current)
            current = Group()
          }
          excludesNext = name == "NOT"
        } else if let phrase = phrase(name[...], false) {
          current.required.append(phrase)
        }
      }
    }
    return current.required.isEmpty ? groups : groups + [current]
  }

  /// Returns whether an operator is between two phrases.
  private static func stands(at position: Int, in items: [Item]) -> Bool {
    guard position > 0, position + 1 < items.count, case .phrase = items[position + 1],
      case .phrase = items[position - 1]
    else { return false }
    return true
  }

  // MARK: In the language of FTS5

  /// Returns the query in the language of SQLite's FTS5.
  ///
  /// The result contains each word or phrase in quotation marks, so that no word is an operator of
  /// FTS5. For a query without words, the result is an empty phrase, which matches nothing.
  ///
  /// - Parameter columns: The columns to search; nil for all columns.
  package func expression(columns: [String]?) -> String {
    if isEmpty { return "\"\"" }
    let whole = groups.map { "(\(Self.expression($0)))" }.joined(separator: " OR ")
    guard let columns else { return whole }
    return "{\(columns.map { "\"\($0)\"" }.joined(separator: " "))} : (\(whole))"
  }

  private static func expression(_ group: Group) -> String {
    let required = group.required.map(expression).joined(separator: " AND ")
    if group.excluded.isEmpty { return required }
    return "(\(required)) NOT (\(group.excluded.map(expression).joined(separator: " OR ")))"
  }

  private static func expression(_ phrase: Phrase) -> String {
    let words = phrase.words.words
    return "\"\(words.joined(separator: " "))\"" + (phrase.isPrefix ? " *" : "")
  }
}

extension TextQuery {
  private static let last = Mutex(TextQuery(""))

  /// Returns the query for a text.
  ///
  /// The method caches the last query. A fetch that matches many rows with the same text therefore
  /// parses the text only once.
  package static func reading(_ text: String) -> TextQuery {
    let known = last.withLock { $0 }
    // Texts that are equal may have different scalars.
    if known.text.utf8.elementsEqual(text.utf8) { return known }
    let query = TextQuery(text)
    last.withLock { $0 = query }
    return query
  }
}

/// An object that provides the strings to search when the object itself is searched.
package protocol WordSearchable {
  /// The strings to search; nil if the object has no searched strings.
  var searchedTexts: [String]? { get }
}
