import CoreData

/// A post in a list, apart from its context.
public struct PostRow: Sendable, Equatable {
  /// The site's id.
  public let postID: String
  /// The place in the thread, from 1; 0 when no page told.
  public let place: Int
  /// The author's name; empty when no page told it.
  public let authorName: String
  /// The date as the site prints it; empty when no page told it.
  public let printedDate: String
  /// The body as markup.
  public let bodyHTML: String
  /// Whether the reader has seen it.
  public let isSeen: Bool

  init(_ post: Post) {
    postID = post.postID
    place = Int(post.threadIndex)
    authorName = post.author?.username ?? ""
    printedDate = post.postDateRaw ?? ""
    bodyHTML = post.innerHTML ?? ""
    isSeen = post.beenSeen
  }
}
