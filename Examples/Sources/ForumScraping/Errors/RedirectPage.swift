import ForumHTML

/// The page that the site shows after an action succeeds and before it redirects; not an error.
public struct RedirectPage: Sendable, Equatable {
  /// The completed action, if the page names it.
  public enum Success: String, Sendable {
    /// The site has updated the ignore list.
    case ignoreListUpdated
  }

  /// The completed action; nil if the page does not name it.
  public let success: Success?
  /// The message of the page.
  public let message: String
  /// The address to which the page redirects, as written.
  public let target: String?
  /// The thread of the first link to a thread.
  public let threadID: String?
  /// The post of the first link to a post.
  public let postID: String?

  init(_ document: HTMLDocument) throws {
    guard let inner = try document.first(".standard .inner") ?? document.first("div.inner") else {
      throw PageError(
        .missingMarker, "The redirect page has no content.", marker: ".standard .inner")
    }
    let text = inner.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isIgnoreListUpdated =
      text.contains("Your ignore list has been updated")
      || text.contains("has now been successfully added to your ignore list")
    success = isIgnoreListUpdated ? .ignoreListUpdated : nil
    message = inner.textRuns.lazy.map(\.trimmingWhitespace).first { !$0.isEmpty } ?? ""
    target = try inner.first("a[href]")?["href"]
    threadID = Link.parameter(
      "threadid", in: try document.first("a[href*='showthread.php'][href*='threadid=']")?["href"])
    postID = Link.parameter("postid", in: try document.first("a[href*='goto=post']")?["href"])
  }
}
