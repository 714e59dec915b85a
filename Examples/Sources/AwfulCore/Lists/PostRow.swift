public import CoreData
import Foundation

/// A post in a list, as a value independent of its context.
public struct PostRow: Sendable, Equatable, Encodable {
  /// The id on the site.
  public let postID: String
  /// The place in the thread, starting at 1; 0 if no page has shown it.
  public let place: Int
  /// The author's name; empty if no page has shown it.
  public let authorName: String
  /// The author's id; empty if no page has shown it.
  public let authorID: String
  /// The author's title as markup, often with a picture; empty if no page has shown it.
  public let authorTitleHTML: String
  /// Whether the reader ignores the author.
  public let isIgnored: Bool
  /// The date as the site prints it; empty if no page has shown it.
  public let printedDate: String
  /// The date when it was posted.
  public let date: Date?
  /// The body as markup.
  public let bodyHTML: String
  /// Whether the reader has seen it.
  public let isSeen: Bool
  /// Whether it was posted after the reader opened the thread and has not been seen.
  public let isNew: Bool

  /// Whether the reader may edit it.
  public let isEditable: Bool

  /// Whether its thread accepts replies.
  public let isAnswerable: Bool

  /// Creates a row from a post. Call this initializer on the queue of its context.
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
