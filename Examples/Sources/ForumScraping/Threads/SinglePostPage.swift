import ForumHTML

/// A page with a single post, which the site uses to show posts of ignored users.
public struct SinglePostPage: Sendable, Equatable {
  /// The thread's id.
  public let threadID: String
  /// The thread's title; nil if the page's title does not contain it.
  public let threadTitle: String?
  /// The post.
  public let post: ScrapedPost

  init(_ document: HTMLDocument) throws {
    guard let place = try document.first("#thread"),
      let threadID = Link.number(after: "thread:", inClassesOf: place)
    else {
      throw PageError(
        .missingMarker, "The page does not identify a thread.", marker: "#thread.thread:N")
    }
    guard let table = try document.first("table.post"), let post = try ScrapedPost(table) else {
      throw PageError(.missingMarker, "The page has no post.", marker: "table.post")
    }
    self.threadID = threadID
    self.post = post
    let title = try document.first("title")?.trimmedText ?? ""
    threadTitle = title.firstRange(of: " - ").map { String(title[$0.upperBound...]) }
  }
}
