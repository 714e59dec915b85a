import ForumHTML

/// One page of a forum's threads or of the reader's bookmarks.
public struct ThreadListPage: Sendable, Equatable {
  /// The row of an announcement, which has no id.
  public struct AnnouncementRow: Sendable, Equatable {
    /// The title.
    public let title: String
    /// The author's id.
    public let authorID: String?
    /// The author's name.
    public let authorName: String
    /// The date of the last change.
    public let updated: PrintedDate?
    /// The icon.
    public let icon: ThreadIcon?
  }

  /// The forum's id; nil on the list of bookmarks.
  public let forumID: String?
  /// The group and the path of forums to this forum.
  public let breadcrumbs: [ForumReference]
  /// The page number and the number of pages.
  public let pages: PageNumbers
  /// Whether the site created the page for a logged-in reader; otherwise the page contains nothing specific to a reader.
  public let isForMember: Bool
  /// Whether the reader may start a thread.
  public let canPostNewThread: Bool
  /// Whether this is the list of bookmarks.
  public let isBookmarks: Bool
  /// The icons that filter the list, in order.
  public let filterIcons: [ThreadIcon]
  /// The announcements, in order.
  public let announcements: [AnnouncementRow]
  /// The threads, in order.
  public let threads: [ScrapedThread]

  init(_ document: HTMLDocument) throws {
    let body = document.body
    isBookmarks =
      try document.first("form[name='bookmarks']") != nil || body.hasClass("bookmark_threads")
    let rows = try document.select("tr.thread")
    guard try !rows.isEmpty || document.first("#forum, table.threadlist, #forums") != nil else {
      throw PageError(.missingMarker, "The page has no list of threads.", marker: "table#forum")
    }
    // If the site renames the class of threads, the list would look empty, and all its threads deleted.
    guard try document.first("#forum tr:not(.thread) > td.title") == nil else {
      throw PageError(
        .missingMarker, "A row of the list has a title, but not the class of threads.",
        marker: "#forum tr.thread")
    }
    forumID =
      isBookmarks
      ? nil : body["data-forum"]?.nonEmpty ?? Link.number(after: "forum_", inClassesOf: body)
    breadcrumbs = try ForumReference.breadcrumbs(of: document)
    pages = try PageNumbers(of: document)
    isForMember = try document.isForMember
    canPostNewThread = try document.first("ul.postbuttons a[href*='newthread.php']") != nil
    filterIcons = try Self.filterIcons(of: document)
    var announcements: [AnnouncementRow] = []
    var threads: [ScrapedThread] = []
    for row in rows {
      if let thread = try ScrapedThread(row) {
        threads.append(thread)
      } else if let announcement = try Self.announcement(row) {
        announcements.append(announcement)
      } else {
        // Without the row, its thread would look like one that the site no longer lists.
        throw PageError(
          .missingMarker, "A row of the list is neither a thread nor an announcement.",
          marker: "tr.thread[id], a.announcement")
      }
    }
    self.announcements = announcements
    self.threads = threads
  }

  private static func announcement(_ row: HTMLElement) throws -> AnnouncementRow? {
    guard let title = try row.first("a.announcement") else { return nil }
    let author = try row.first("td.author a")
    return AnnouncementRow(
      title: title.trimmedText, authorID: Link.parameter("userid", in: author?["href"]),
      authorName: try (author ?? row.first("td.author"))?.trimmedText ?? "",
      updated: PrintedDate(try row.first("td.lastpost div.date")?.text),
      icon: ThreadIcon(try row.first("td.icon img")?["src"]))
  }

  private static func filterIcons(of document: HTMLDocument) throws -> [ThreadIcon] {
    var icons: [ThreadIcon] = []
    for link in try document.select("div.thread_tags a[href*='posticon=']") {
      guard let name = Link.imageName(of: try link.first("img")?["src"]) else { continue }
      icons.append(ThreadIcon(imageName: name, id: Link.parameter("posticon", in: link["href"])))
    }
    return icons
  }
}
