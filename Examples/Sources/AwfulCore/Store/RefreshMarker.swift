import CoreData
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Notes on forums and threads when the site was last asked for them.
enum RefreshMarker {
  /// Notes the instant on what a page is about.
  ///
  /// - Parameters:
  ///   - page: A page that was imported.
  ///   - instant: When it was fetched.
  ///   - context: Where its objects live.
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
