public import CoreData
import Foundation

/// A post in a list, apart from its context.
public struct PostRow: Sendable, Equatable, Encodable {
  /// The site's id.
  public let postID: String
  /// The place in the thread, from 1; 0 when no page told.
  public let place: Int
  /// The author's name; empty when no page told it.
  public let authorName: String
  /// The author's id; empty when no page told it.
  public let authorID: String
  /// The author's title as markup, which often has a picture; empty when no page told it.
  public let authorTitleHTML: String
  /// Whether the reader ignores the author.
  public let isIgnored: Bool
  /// The date as the site prints it; empty when no page told it.
  public let printedDate: String
  /// When it was posted.
  public let date: Date?
  /// The body as markup.
  public let bodyHTML: String
  /// Whether the reader has seen it.
  public let isSeen: Bool
  /// Whether it came after the reader opened the thread, and was not seen yet.
  public let isNew: Bool

  /// Whether the reader may change it.
  public let isEditable: Bool

  /// Whether its thread takes replies.
  public let isAnswerable: Bool

  /// Reads a post; call on the queue of its context.
  public init(_ post: Post) {
    postID = post.postID
    place = Int(post.threadIndex)
    authorName = post.author?.username ?? ""
    authorID = post.author?.userID ?? ""
    authorTitleHTML = post.author?.customTitleHTML ?? ""
    isIgnored = post.ignored
    printedDate = post.postDateRaw ?? ""
    date = post.postDate
    bodyHTML = post.innerHTML ?? ""
    isSeen = post.beenSeen
    isEditable = post.editable
    isAnswerable = post.thread?.closed != true
    isNew = !isSeen && post.thread?.beenSeen == true
  }
}
