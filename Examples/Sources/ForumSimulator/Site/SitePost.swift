import Foundation

/// One post. A made-up text is not stored: it is written from the seed whenever a page shows it.
struct SitePost: Codable, Sendable, Hashable {
  var id: Int
  let authorID: Int
  let date: Int
  let textSeed: UInt64
  /// The text as a person typed it; `nil` for a text made up from the seed.
  var typedText: String?
  /// When the author last changed the text; `nil` when the author never did.
  var editDate: Int?

  /// The instant that the page names as that of a change; `nil` for a post that was never changed.
  var shownEditDate: Int? {
    if let editDate { return editDate }
    return typedText == nil && textSeed % 23 == 0 ? date + 300 : nil
  }

  /// The position in the thread, counted from one, of the post quoted at the top; `nil` without.
  func quotedIndex(at index: Int) -> Int? {
    guard typedText == nil, index > 1, textSeed % 4 == 0 else { return nil }
    let reach = min(index - 1, 12)
    return index - 1 - Int((textSeed >> 16) % UInt64(reach))
  }

  /// The paragraphs of the text, plain and without the quotation at the top.
  func paragraphs() -> [String] {
    if let typedText { return BBCode.withoutQuotations(typedText).components(separatedBy: "\n\n") }
    var maker = TextMaker(seed: textSeed)
    return maker.paragraphs()
  }
}

extension SiteState {
  /// The text of a post as its author would type it, with the quotation at the top.
  func source(of post: SitePost, in thread: SiteThread) -> String {
    if let typedText = post.typedText { return typedText }
    var paragraphs = post.paragraphs()
    if post.textSeed % 17 == 0, let last = paragraphs.popLast() {
      paragraphs.append("[spoiler]\(last)[/spoiler]")
    }
    let text = paragraphs.joined(separator: "\n\n")
    guard let position = thread.posts.firstIndex(where: { $0.id == post.id }),
      let index = post.quotedIndex(at: position + 1)
    else { return text }
    let quoted = thread.posts[index - 1]
    let words = quoted.paragraphs().first ?? ""
    return BBCode.quotation(of: words, by: userName(quoted.authorID), postID: quoted.id) + text
  }
}
