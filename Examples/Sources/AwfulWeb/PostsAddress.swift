import AwfulCore
import WebPages

/// The contents of a thread's address: the page, the author, and the first post to show.
///
/// A value.
struct PostsAddress: Sendable, Hashable {
  /// The number of folded posts that one link shows again.
  private static let step = 3

  /// The id of the thread.
  let threadID: String
  /// The page number, starting at 1.
  let page: Int
  /// The id of the member whose posts are shown; nil for all posts.
  let authorID: String?
  /// The place of the first post that is shown; earlier posts on the page are folded. 0 folds none.
  let firstPlace: Int

  /// Creates the address from a request.
  init(ofThread id: String, _ request: WebRequest) {
    threadID = id
    page = request.pageNumber
    authorID = request.query["author"].flatMap { $0.isEmpty ? nil : $0 }
    let first = request.query["from"].flatMap { Int($0) } ?? 0
    firstPlace = authorID == nil ? min(max(0, first), 1_000_000) : 0
  }

  /// Creates the address of the page on which the reader continues. Posts before the first unread post are folded.
  init(ofThread id: String, page: Int, unreadFrom place: Int) {
    threadID = id
    self.page = page
    authorID = nil
    firstPlace = place
  }

  private var path: String { "/threads/\(PagePath.part(threadID))" }
  private var author: String { authorID.map { "&author=\(PagePath.part($0))" } ?? "" }
  /// The number of posts on the page before the first one that is shown.
  private var foldedCount: Int {
    max(0, firstPlace - 1 - (page - 1) * ForumThread.postsPerPage)
  }

  /// The address.
  var text: String {
    "\(path)?page=\(page)\(author)\(foldedCount > 0 ? "&from=\(firstPlace)" : "")"
  }

  /// A key that distinguishes lists with different rows.
  var key: String { "\(page)/\(PagePath.part(authorID ?? ""))/\(foldedCount > 0 ? firstPlace : 0)" }

  // MARK: Markup

  /// The links that unfold posts that the reader has seen.
  @MarkupBuilder
  var folded: Markup {
    if let authorID, !authorID.isEmpty {
      element(.p) {
        "Showing only the stored posts of one member. "
        element(.a, .href(path)) { "Show all posts" }
      }
    }
    if foldedCount > 0 {
      let back = PostsAddress(
        ofThread: threadID, page: page, unreadFrom: firstPlace - Self.step)
      element(.p, .class("folded")) {
        Wording.count(foldedCount, "seen post") + " above. "
        if foldedCount > Self.step {
          element(.a, .href(back.text)) { "Show \(Self.step) previous" }
          " "
        }
        element(.a, .href("\(path)?page=\(page)")) { "Show all" }
      }
    }
  }

  /// The links to the other pages.
  func links(count: Int) -> Markup {
    PageLinks.markup(path: path, page: page, count: count, parameters: author)
  }
}
