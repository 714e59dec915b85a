public import CoreData
import Foundation

/// An announcement in a list, as a value independent of its context.
public struct AnnouncementRow: Sendable, Equatable, Encodable {
  /// The place in the site's lists, starting at 0. Announcements have no ids.
  public let place: Int
  /// The title.
  public let title: String
  /// The author's name; empty if no page has shown it.
  public let authorName: String
  /// The date as the site prints it; empty if no page has shown it.
  public let printedDate: String
  /// The date when it was posted.
  public let date: Date?
  /// The body as markup; nil until a sync has fetched it.
  public let bodyHTML: String?
  /// Whether the reader has not seen it, or its text has changed since.
  public let isNew: Bool

  /// Creates a row from an announcement. Call this initializer on the queue of its context.
  public init(_ announcement: Announcement) {
    place = Int(announcement.listIndex)
    title = announcement.title
    authorName = announcement.authorUsername
    printedDate = announcement.postedDateRaw ?? ""
    date = announcement.postedDate
    bodyHTML = announcement.bodyHTML.isEmpty ? nil : announcement.bodyHTML
    isNew = !announcement.hasBeenSeen
  }
}
