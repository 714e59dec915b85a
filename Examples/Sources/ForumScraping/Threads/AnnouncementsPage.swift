import ForumHTML

/// The bodies of the announcements, in the order of the thread lists; announcements have no ids.
public struct AnnouncementsPage: Sendable, Equatable {
  /// One announcement.
  public struct Announcement: Sendable, Equatable {
    /// The author, without an id.
    public let author: AuthorSidebar
    /// The body, as markup.
    public let bodyHTML: String
    /// The date of posting.
    public let posted: PrintedDate?
  }

  /// The announcements, in order.
  public let announcements: [Announcement]

  init(_ document: HTMLDocument) throws {
    guard try document.first("#thread") != nil else {
      throw PageError(.missingMarker, "The page has no announcements.", marker: "#thread")
    }
    var announcements: [Announcement] = []
    var pending: HTMLElement?
    for row in try document.select("#thread tr") {
      if try row.first("td.postbody") != nil {
        if let earlier = pending { announcements.append(try Self.announcement(earlier, date: nil)) }
        pending = row
      } else if let body = pending, let date = try row.first("td.postdate") {
        announcements.append(try Self.announcement(body, date: date))
        pending = nil
      }
    }
    if let pending { announcements.append(try Self.announcement(pending, date: nil)) }
    self.announcements = announcements
  }

  private static func announcement(
    _ row: HTMLElement, date: HTMLElement?
  ) throws -> Announcement {
    Announcement(
      author: try AuthorSidebar(in: row, linkSelector: "td.userinfo a[href*='userid=']"),
      bodyHTML: try row.first("td.postbody")?.innerHTML.trimmingWhitespace ?? "",
      posted: PrintedDate(ScrapedPost.lastText(in: date)))
  }
}
