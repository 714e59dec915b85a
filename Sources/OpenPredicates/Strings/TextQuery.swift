import Synchronization

/// The query of a full-text search, parsed from text typed by users. An addition to Apple's API.
///
/// Every text is a valid query; there are no syntax errors.
/// - `apple pie`: both words, anywhere. Case and diacritics are ignored.
/// - `"apple pie"`: the words in this order, without words between them. A word with punctuation in it, such as
///   `e-mail`, is a phrase too.
/// - `app*`, `"apple p"*`: words with the last word as prefix.
/// - `apple OR pear`, `apple NOT pie`, `apple AND pie`: uppercase operators between two words; at other positions
///   they are words. `OR` binds weakest.
///
/// All other punctuation separates words. A query without words matches nothing.
///
/// ```swift
/// request.predicate = NSPredicate(search: TextQuery("kernel \"system call\" sched*"))
/// ```
///
/// > Concurrency: A value; usable on any thread.
public struct TextQuery: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// Words that follow each other.
  private struct Phrase: Hashable, Sendable {
    var words: WordList
    /// Whether the last word may be the beginning of a word.
    var isPrefix: Bool
  }

  /// Phrases that must all be there, and those that must not.
  private struct Group: Hashable, Sendable {
    var required: [Phrase] = []
    var excluded: [Phrase] = []
  }

  /// The text that was read.
  public let text: String
  /// At least one of them must be satisfied.
  private let groups: [Group]

  /// Reads a text.
  ///
  /// - Parameter text: The text that a user typed.
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ text: String) {
    self.text = text
    groups = Self.groups(of: Self.items(of: text))
  }

  /// Reads a literal.
  public init(stringLiteral text: String) { self.init(text) }

  /// Whether the query has no words; it then finds nothing.
  public var isEmpty: Bool { groups.isEmpty }

  /// The text that was read.
  public var description: String { text }

  /// Whether a text matches the query.
  ///
  /// - Returns: `true` if a text matches the query.
  /// - Complexity: O(*n*) in the length of the text.
  public func matches(_ text: String) -> Bool { matches([text]) }

  /// Whether several texts contain it together: each phrase within one text.
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

  /// Whether an operator stands between two phrases.
  private static func stands(at position: Int, in items: [Item]) -> Bool {
    guard position > 0, position + 1 < items.count, case .phrase = items[position + 1],
      case .phrase = items[position - 1]
    else { return false }
    return true
  }

  // MARK: In the language of FTS5

  /// The query in the language of SQLite's FTS5.
  ///
  /// Words are letters and digits within quotation marks, so that nothing in them has a meaning there.
  ///
  /// - Parameter columns: The columns to look in; nil for all.
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

  /// The query of a text, read once for many rows.
  package static func reading(_ text: String) -> TextQuery {
    let known = last.withLock { $0 }
    // Equal texts may have different scalars.
    if known.text.utf8.elementsEqual(text.utf8) { return known }
    let query = TextQuery(text)
    last.withLock { $0 = query }
    return query
  }
}

/// An object that knows which of its texts a search in the object itself goes over.
package protocol WordSearchable {
  /// The texts; nil for an object that has none to search.
  var searchedTexts: [String]? { get }
}
