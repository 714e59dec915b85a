import CoreData
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Records on forums and threads when they were last fetched from the site.
enum RefreshMarker {
  /// Records the date on the forum or thread of a page.
  ///
  /// - Parameters:
  ///   - page: The imported page.
  ///   - instant: The date when the page was fetched.
  ///   - context: The context of its objects.
  static func mark(
    _ page: ScrapedPage, _ instant: Date, in context: NSManagedObjectContext
  ) throws {
    switch page {
    case .threadList(let list):
      guard let forumID = list.forumID else { return }
      let forums = try UpsertBatch<Forum>(in: context, key: "forumID", values: [forumID])
      forums.existing(forumID)?.update(\.lastRefresh, to: instant)
    case .thread(let posts):
      let threads = try UpsertBatch<ForumThread>(
        in: context, key: "threadID", values: [posts.threadID])
      threads.existing(posts.threadID)?.update(\.lastRefresh, to: instant)
    default: break
    }
  }
}
