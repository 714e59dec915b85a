/// One post. Its text is not stored: it is written from the seed whenever a page shows it.
struct SitePost: Sendable, Hashable {
  var id: Int
  let authorID: Int
  let date: Int
  let textSeed: UInt64

  /// Whether the page says that the author changed the post.
  var isEdited: Bool { textSeed % 23 == 0 }

  /// The position in the thread, counted from one, of the post quoted at the top; `nil` without.
  func quotedIndex(at index: Int) -> Int? {
    guard index > 1, textSeed % 4 == 0 else { return nil }
    let reach = min(index - 1, 12)
    return index - 1 - Int((textSeed >> 16) % UInt64(reach))
  }

  /// The paragraphs of the text, plain.
  func paragraphs() -> [String] {
    var maker = TextMaker(seed: textSeed)
    return maker.paragraphs()
  }
}
