import Foundation

/// One post. Generated text is not stored: it is generated from the seed whenever a page shows it.
struct SitePost: Codable, Sendable, Hashable {
  var id: Int
  let authorID: Int
  let date: Int
  let textSeed: UInt64
  /// The text as typed; `nil` for a text generated from the seed.
  var typedText: String?
  /// The date of the author's last edit; `nil` if there is none.
  var editDate: Int?

  /// The instant of the last change that the page shows; `nil` for a post that was never changed.
  var shownEditDate: Int? {
    if let editDate { return editDate }
    return typedText == nil && textSeed % 23 == 0 ? date + 300 : nil
  }

  /// Returns the position in the thread, from one, of the post quoted at the top; `nil` without a quotation.
  func quotedIndex(at index: Int) -> Int? {
    guard typedText == nil, index > 1, textSeed % 4 == 0 else { return nil }
    let reach = min(index - 1, 12)
    return index - 1 - Int((textSeed >> 16) % UInt64(reach))
  }

  /// Returns the paragraphs of the text, in plain text and without the quotation at the top.
  func paragraphs() -> [String] {
    if let typedText { return BBCode.withoutQuotations(typedText).components(separatedBy: "\n\n") }
    var maker = TextMaker(seed: textSeed)
    return maker.paragraphs()
  }
}

extension SiteState {
  /// Returns the text of a post as its author would type it, with the quotation at the top.
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
