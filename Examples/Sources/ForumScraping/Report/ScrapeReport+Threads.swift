import ForumHTML

extension ThreadPage {
  func reportFacts() throws -> [String: ReportValue] {
    let indexes = posts.compactMap(\.index)
    let authors = posts.map(\.author)
    return [
      "threadID": .text(threadID), "forumID": .text(forumID), "title": .text(title),
      "breadcrumbs": .list(breadcrumbs.map(\.report)), "page": .number(pages.page),
      "pageCount": .number(pages.count), "bookmarked": .flag(isBookmarked),
      "closed": .flag(isClosed), "singleUserFilter": .flag(isSingleAuthor),
      "postCount": .number(posts.count), "postIDs": .texts(posts.map(\.id)),
      "seenCount": .number(posts.count { $0.isSeen }),
      "firstUnseenPostID": .text(firstUnseenPost?.id),
      "ignoredPostIDs": .texts(posts.filter(\.isIgnored).map(\.id)),
      "editableCount": .number(posts.count { $0.isEditable }),
      "originalPosterPostIDs": .texts(posts.filter(\.author.isOriginalPoster).map(\.id)),
      "administrators": .texts(distinct(authors.filter(\.isAdministrator).map(\.name))),
      "moderators": .texts(distinct(authors.filter(\.isModerator).map(\.name))),
      "distinctAuthors": .number(Set(authors.map { $0.userID ?? $0.name }).count),
      "indexes": indexes.first.map { .list([.number($0), .number(indexes.last)]) } ?? .null,
      "posts": .list(try posts.map { try .object($0.reportFacts()) }),
    ]
  }

  private func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

extension ScrapedPost {
  func reportFacts() throws -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "postID": .text(id), "index": .number(index), "authorID": .text(author.userID),
      "author": .text(author.name), "administrator": .flag(author.isAdministrator),
      "moderator": .flag(author.isModerator), "originalPoster": .flag(author.isOriginalPoster),
      "customTitleImages": .texts(try ScrapeReport.imageNames(in: author.customTitleHTML)),
      "seen": .flag(isSeen), "editable": .flag(isEditable), "ignored": .flag(isIgnored),
      "authorCanReceivePM": .flag(authorCanReceivePrivateMessages),
      "text": .text(try ScrapeReport.text(of: bodyHTML)),
    ]
    return facts.adding(ScrapeReport.date(posted, "date"))
      .adding(ScrapeReport.date(author.registered, "registered"))
  }
}

extension SinglePostPage {
  func reportFacts() throws -> [String: ReportValue] {
    try post.reportFacts().adding([
      "threadID": .text(threadID), "threadTitle": .text(threadTitle),
    ])
  }
}

extension ForumReference {
  var report: ReportValue { .object(["id": .text(id), "name": .text(name)]) }
}

extension ThreadIcon {
  var report: ReportValue { .object(["id": .text(id), "image": .text(imageName)]) }
}

extension ThreadListPage {
  func reportFacts() -> [String: ReportValue] {
    let unread = threads.compactMap { thread in thread.unreadCount.map { (thread.id, $0) } }
    let colors = threads.filter { $0.bookmarkColor != .none }
    return [
      "forumID": .text(forumID), "breadcrumbs": .list(breadcrumbs.map(\.report)),
      "page": .number(pages.page), "pageCount": .number(pages.count),
      "canPostNewThread": .flag(canPostNewThread), "isBookmarks": .flag(isBookmarks),
      "announcements": .list(announcements.map(\.report)), "threadCount": .number(threads.count),
      "threadIDs": .texts(threads.map(\.id)),
      "stickyThreadIDs": .texts(threads.filter(\.isSticky).map(\.id)),
      "closedThreadIDs": .texts(threads.filter(\.isClosed).map(\.id)),
      "unread": .object(Dictionary(unread.map { ($0, .number($1)) }) { $1 }),
      "neverOpenedCount": .number(threads.count { !$0.wasSeen }),
      "bookmarks": .object(
        Dictionary(colors.map { ($0.id, .text($0.bookmarkColor.rawValue)) }) { $1 }),
      "ratedCount": .number(threads.count { $0.voteCount != nil }),
      "secondaryTags": .texts(Set(threads.compactMap(\.secondaryIconName)).sorted()),
      "filterTagCount": .number(filterIcons.count),
      "filterTagFirst": filterIcons.first?.report ?? .null,
      "filterTagLast": filterIcons.last?.report ?? .null,
      "threads": .list(threads.map { .object($0.reportFacts()) }),
    ]
  }
}

extension ThreadListPage.AnnouncementRow {
  var report: ReportValue {
    let facts: [String: ReportValue] = [
      "title": .text(title), "authorID": .text(authorID), "author": .text(authorName),
      "icon": .text(icon?.imageName),
    ]
    return .object(facts.adding(ScrapeReport.date(updated, "lastUpdated")))
  }
}

extension ScrapedThread {
  func reportFacts() -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "threadID": .text(id), "title": .text(title), "authorID": .text(authorID),
      "author": .text(authorName), "replies": .number(replyCount), "views": .number(viewCount),
      "votes": .number(voteCount), "rating": .fraction(rating),
      "ratingImage": .text(ratingImageName), "sticky": .flag(isSticky), "closed": .flag(isClosed),
      "bookmark": .text(bookmarkColor.rawValue), "seenBefore": .flag(wasSeen),
      "unreadCount": .number(unreadCount), "lastPostAuthor": .text(lastPostAuthorName),
      "tag": .text(icon?.imageName), "tagFragment": .text(icon?.id),
      "secondaryTag": .text(secondaryIconName), "seenPostsDerived": .number(seenPostCount),
    ]
    return facts.adding(ScrapeReport.date(lastPosted, "lastPostDate"))
  }
}

extension AnnouncementsPage {
  func reportFacts() throws -> [String: ReportValue] {
    [
      "count": .number(announcements.count),
      "announcements": .list(try announcements.map { try .object($0.reportFacts()) }),
    ]
  }
}

extension AnnouncementsPage.Announcement {
  func reportFacts() throws -> [String: ReportValue] {
    let facts: [String: ReportValue] = [
      "author": .text(author.name), "text": .text(try ScrapeReport.text(of: bodyHTML)),
    ]
    return facts.adding(ScrapeReport.date(posted, "date"))
      .adding(ScrapeReport.date(author.registered, "registered"))
  }
}
