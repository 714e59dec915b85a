/// A search that the site stores for its owner under a number.
struct SiteSearch: Codable, Sendable, Hashable {
  let id: Int
  let ownerID: Int
  /// The search as typed.
  let query: String
  /// The searched forums; empty for all forums.
  let forumIDs: [Int]
  /// The found posts, newest first.
  let postIDs: [Int]
}

/// The words and conditions of a search.
struct SearchTerms {
  private var words: [String] = []
  private var userID: Int?
  private var userName: String?
  private var threadID: Int?
  private var titleWords: [String] = []

  /// Parses a search such as `kettle userid:12 intitle:"tea tin"`.
  init(_ query: String) {
    for term in Self.terms(of: query) {
      let parts = term.split(separator: ":", maxSplits: 1).map { String($0) }
      switch (parts.first, parts.count) {
      case ("userid", 2): userID = Int(parts[1]) ?? 0
      case ("username", 2): userName = parts[1].lowercased()
      case ("threadid", 2): threadID = Int(parts[1]) ?? 0
      case ("intitle", 2): titleWords.append(parts[1].lowercased())
      default: words.append(term.lowercased())
      }
    }
  }

  var isEmpty: Bool {
    words.isEmpty && userID == nil && userName == nil && threadID == nil && titleWords.isEmpty
  }

  /// The first plain word, which the results highlight in its context.
  var mark: String? { words.first }

  func fits(_ post: SitePost, in thread: SiteThread, of state: SiteState) -> Bool {
    guard fits(thread), userID == nil || userID == post.authorID,
      userName == nil || userName == state.userName(post.authorID).lowercased()
    else { return false }
    guard !words.isEmpty else { return true }
    let text = post.paragraphs().joined(separator: " ").lowercased()
    return words.allSatisfy { text.contains($0) }
  }

  /// Returns whether posts of a thread can match.
  func fits(_ thread: SiteThread) -> Bool {
    guard threadID == nil || threadID == thread.id else { return false }
    let title = thread.title.lowercased()
    return titleWords.allSatisfy { title.contains($0) }
  }

  /// Splits a query at spaces outside quotation marks, and removes the marks.
  private static func terms(of query: String) -> [String] {
    var terms: [String] = []
    var term = ""
    var isQuoted = false
    for character in query + " " {
      if character == "\"" {
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        if !term.isEmpty { terms.append(term) }
        term = ""
      } else {
        term.append(character)
      }
    }
    let rest = term.trimmingSuffix()
    return rest.isEmpty ? terms : terms + [rest]
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    String(reversed().drop { $0.isWhitespace }.reversed())
  }
}
