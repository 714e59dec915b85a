import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports a page of posts with their thread, authors and forum.
///
/// Confined to its context.
struct PostsPageImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports a page.
  func importPosts(_ page: ThreadPage) throws {
    let posts = page.posts.uniqued(by: \.id)
    let places = PostPlaces(posts, page: page.pages.page)
    let forum = try BreadcrumbsImporter(context).importForum(
      page.breadcrumbs, forumID: page.forumID)
    let threads = try UpsertBatch<ForumThread>(
      in: context, key: "threadID", values: [page.threadID])
    let thread = threads[page.threadID]
    let authors = try AuthorImporter(context).importAuthors(of: posts)
    importFacts(of: page, forum, thread)
    try importPosts(posts, page, places, thread, authors)
    if let opener = posts.first(where: \.author.isOriginalPoster)?.author.userID {
      thread.update(\.author, to: authors[opener])
    }
    if !page.isSingleAuthor { importCounts(of: page, posts, places, thread) }
  }

  private func importFacts(of page: ThreadPage, _ forum: Forum?, _ thread: ForumThread) {
    thread.updateUnlessEmpty(\.title, to: page.title)
    thread.update(\.closed, to: page.isClosed)
    if page.isForMember, let isBookmarked = page.isBookmarked {
      thread.update(\.bookmarked, to: isBookmarked)
    }
    if let forum { thread.update(\.forum, to: forum) }
    if page.breadcrumbs.first?.id == ForumRules.archivesGroupID {
      thread.update(\.archived, to: true)
    }
  }

  /// Imports the posts. A page with the posts of a single author numbers them separately, so it provides no places in the thread.
  private func importPosts(
    _ rows: [ScrapedPost], _ page: ThreadPage, _ places: PostPlaces, _ thread: ForumThread,
    _ authors: UpsertBatch<User>
  ) throws {
    let posts = try UpsertBatch<Post>(in: context, key: "postID", values: rows.map(\.id))
    for (position, row) in rows.enumerated() {
      let post = posts[row.id]
      post.update(\.thread, to: thread)
      if let authorID = row.author.userID { post.update(\.author, to: authors[authorID]) }
      if !page.isSingleAuthor { post.update(\.threadIndex, to: Int32(clamping: places[position])) }
      if page.isForMember {
        post.update(\.ignored, to: row.isIgnored)
        post.update(\.editable, to: row.isEditable)
      }
      // The site omits the body of an ignored post. A body that was read earlier is kept.
      if !row.isIgnored || post.innerHTML == nil {
        post.update(\.innerHTML, to: row.bodyHTML)
        post.update(\.text, to: row.bodyText)
      }
      guard let posted = row.posted else { continue }
      post.update(\.postDateRaw, to: posted.printed)
      post.updateIfPresent(\.postDate, to: posted.date)
    }
  }

  private func importCounts(
    of page: ThreadPage, _ posts: [ScrapedPost], _ places: PostPlaces, _ thread: ForumThread
  ) {
    thread.update(\.numberOfPages, to: Int32(clamping: page.pages.count))
    let count = postCount(page, places, known: thread.postCount)
    thread.update(\.totalReplies, to: Int32(clamping: count - 1))
    if page.pages.page >= page.pages.count, let last = posts.last { importLastPost(last, thread) }
    if page.isForMember {
      let seen = seenCount(posts, places, before: Int(thread.seenPosts))
      thread.update(\.seenPosts, to: Int32(clamping: seen))
    }
    thread.updateDerivedCounts()
  }

  /// Returns the number of posts in the thread: exact on the last page, otherwise limited to the range that the page count allows.
  private func postCount(_ page: ThreadPage, _ places: PostPlaces, known: Int) -> Int {
    let lastPlace = places.last ?? 1
    if page.pages.page >= page.pages.count { return lastPlace }
    let size = ForumThread.postsPerPage
    let pageCount = min(page.pages.count, Int(Int32.max) / size)
    let smallest = max(lastPlace, (pageCount - 1) * size + 1)
    return min(max(known, smallest), max(smallest, pageCount * size))
  }

  /// Stores the last post. Lists print the same minute in another format, so the printed text changes only when the date changes.
  private func importLastPost(_ post: ScrapedPost, _ thread: ForumThread) {
    thread.updateUnlessEmpty(\.lastPostAuthorName, to: post.author.name)
    guard let posted = post.posted, let date = posted.date, thread.lastPostDate != date else {
      return
    }
    thread.lastPostDate = date
    thread.lastPostDateRaw = posted.printed
  }

  /// Returns the number of seen posts, according to the marks on the page.
  ///
  /// The seen posts end before the first unseen one. If a later page starts with an unseen post, it proves only that no more than the posts
  /// before it were seen.
  private func seenCount(
    _ posts: [ScrapedPost], _ places: PostPlaces, before known: Int
  ) -> Int {
    guard let position = posts.firstIndex(where: { !$0.isSeen }) else {
      return max(known, places.last ?? 0)
    }
    let count = max(0, places[position] - 1)
    let isExact = position > 0 || count == 0
    return isExact ? count : min(known, count)
  }
}
