import ForumHTML

/// The page the site shows after something was done, before it leads on: not an error.
public struct RedirectPage: Sendable, Equatable {
  /// What was done, where the page tells.
  public enum Success: String, Sendable {
    /// The ignore list was changed.
    case ignoreListUpdated
  }

  /// What was done, where the page tells.
  public let success: Success?
  /// The page's sentence.
  public let message: String
  /// Where the page leads, as written.
  public let target: String?
  /// The thread in the first link to one.
  public let threadID: String?
  /// The post in the first link to one.
  public let postID: String?

  init(_ document: HTMLDocument) throws {
    guard let inner = try document.first(".standard .inner") ?? document.first("div.inner") else {
      throw PageError(
        .missingMarker, "The page leads nowhere.", marker: ".standard .inner")
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
