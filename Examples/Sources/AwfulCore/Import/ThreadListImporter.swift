import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports a page of a forum's thread list or of the bookmarks.
///
/// Confined to its context.
struct ThreadListImporter {
  private let context: NSManagedObjectContext
  /// Whether the caller reads the other pages of the list too, and then removes the threads that are on none of them.
  private let isPartOfPass: Bool

  init(_ context: NSManagedObjectContext, isPartOfPass: Bool) {
    self.context = context
    self.isPartOfPass = isPartOfPass
  }

  /// Imports a thread list.
  func importList(_ list: ThreadListPage) throws {
    let forum = try BreadcrumbsImporter(context).importForum(
      list.breadcrumbs, forumID: list.forumID)
    let rows = list.threads.uniqued(by: \.id)
    let batches = try Batches(rows, in: context)
    let isArchived = list.breadcrumbs.first?.id == ForumRules.archivesGroupID
    for row in rows {
      let thread = batches.threads[row.id]
      if let forum { thread.update(\.forum, to: forum) }
      if isArchived { thread.update(\.archived, to: true) }
      importFacts(row, thread, batches)
      importCounts(row, thread)
      if list.isForMember { importReading(row, thread, isBookmarked: list.isBookmarks) }
      thread.updateDerivedCounts()
    }
    try list.isBookmarks
      ? placeBookmarks(list, rows, batches.threads)
      : placeThreads(of: forum, list, rows, batches.threads)
    if !list.isBookmarks { try importForumPage(list, forum) }
  }

  /// The objects that the rows of a page refer to, with one fetch per entity.
  private struct Batches {
    let threads: UpsertBatch<ForumThread>
    let users: UpsertBatch<User>
    let tags: ThreadTagBatch

    init(_ rows: [ScrapedThread], in context: NSManagedObjectContext) throws {
      threads = try UpsertBatch(in: context, key: "threadID", values: rows.map(\.id))
      users = try UpsertBatch(in: context, key: "userID", values: rows.compactMap(\.authorID))
      tags = try ThreadTagBatch(
        in: context, icons: rows.compactMap(\.icon),
        imageNames: rows.compactMap(\.secondaryIconName))
    }
  }

  private func importFacts(_ row: ScrapedThread, _ thread: ForumThread, _ batches: Batches) {
    thread.updateUnlessEmpty(\.title, to: row.title)
    thread.update(\.closed, to: row.isClosed)
    if let authorID = row.authorID {
      let author = batches.users[authorID]
      author.updateUnlessEmpty(\.username, to: row.authorName)
      thread.update(\.author, to: author)
    }
    if let icon = row.icon { thread.update(\.threadTag, to: batches.tags[icon]) }
    thread.update(\.secondaryThreadTag, to: row.secondaryIconName.map { batches.tags[$0] })
    thread.updateUnlessEmpty(\.lastPostAuthorName, to: row.lastPostAuthorName)
    if let posted = row.lastPosted {
      thread.update(\.lastPostDateRaw, to: posted.printed)
      thread.updateIfPresent(\.lastPostDate, to: posted.date)
    }
  }

  private func importCounts(_ row: ScrapedThread, _ thread: ForumThread) {
    if let replyCount = row.replyCount {
      thread.update(\.totalReplies, to: Int32(clamping: replyCount))
      let pageCount = ForumThread.pageCount(forPosts: thread.postCount)
      thread.update(\.numberOfPages, to: Int32(clamping: pageCount))
    }
    thread.update(\.numberOfVotes, to: Int32(clamping: row.voteCount ?? 0))
    let rating = Float(row.rating ?? 0)
    thread.update(\.rating, to: rating.isFinite ? rating : 0)
    thread.update(\.ratingImageName, to: row.ratingImageName)
  }

  /// Imports the reader's own state. A row without a colour is either not bookmarked or on a list that does not show colours.
  private func importReading(_ row: ScrapedThread, _ thread: ForumThread, isBookmarked: Bool) {
    if let seen = row.seenPostCount { thread.update(\.seenPosts, to: Int32(clamping: seen)) }
    let place = ScrapedThread.BookmarkColor.allCases.firstIndex(of: row.bookmarkColor) ?? 0
    if row.bookmarkColor != .none || isBookmarked {
      thread.update(\.bookmarked, to: true)
      thread.update(\.starCategory, to: Int16(clamping: place))
    }
  }

  private func placeBookmarks(
    _ list: ThreadListPage, _ rows: [ScrapedThread], _ threads: UpsertBatch<ForumThread>
  ) throws {
    let page = Int32(clamping: list.pages.page)
    for row in rows { threads[row.id].update(\.bookmarkListPage, to: page) }
    if isPartOfPass { return }
    try forget(
      \.bookmarkListPage, "bookmarkListPage >= %@ AND bookmarked == YES", page as NSNumber, rows)
  }

  /// Stores the page and the sticky places. Sticky threads get negative, ascending places, so that they sort first.
  private func placeThreads(
    of forum: Forum?, _ list: ThreadListPage, _ rows: [ScrapedThread],
    _ threads: UpsertBatch<ForumThread>
  ) throws {
    let page = Int32(clamping: list.pages.page)
    var place = -rows.count { $0.isSticky }
    for row in rows {
      let thread = threads[row.id]
      thread.update(\.threadListPage, to: page)
      thread.update(\.sticky, to: row.isSticky)
      thread.update(\.stickyIndex, to: row.isSticky ? Int32(clamping: place) : 0)
      if row.isSticky { place += 1 }
    }
    if page == 1, !isPartOfPass, let forum, !forum.isInserted {
      try forget(\.threadListPage, "threadListPage > 0 AND forum == %@", forum, rows)
    }
  }

  /// Removes threads from a list that no longer contains them.
  private func forget(
    _ property: ReferenceWritableKeyPath<ForumThread, Int32>, _ format: String,
    _ argument: NSObject, _ rows: [ScrapedThread]
  ) throws {
    let request: NSFetchRequest<ForumThread> = ForumThread.fetchRequest()
    request.predicate = NSPredicate(
      format: "\(format) AND NOT (threadID IN %@)", argumentArray: [argument, rows.map(\.id)])
    for thread in try context.fetch(request) { thread.update(property, to: 0) }
  }

  private func importForumPage(_ list: ThreadListPage, _ forum: Forum?) throws {
    if list.isForMember {
      forum?.update(\.canPost, to: list.canPostNewThread && !isArchive(list))
    }
    guard list.pages.page == 1 || !list.announcements.isEmpty else { return }
    try AnnouncementImporter(context).importRows(list.announcements)
  }

  private func isArchive(_ list: ThreadListPage) -> Bool {
    list.breadcrumbs.first?.id == ForumRules.archivesGroupID
  }
}
