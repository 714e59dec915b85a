import CoreData
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Records on threads when a page of their posts was last fetched from the site.
enum RefreshMarker {
  /// Records the date on the thread of a page of posts. Other pages are ignored.
  ///
  /// - Parameters:
  ///   - page: The imported page.
  ///   - instant: The date when the page was fetched.
  ///   - context: The context of its objects.
  static func mark(
    _ page: ScrapedPage, _ instant: Date, in context: NSManagedObjectContext
  ) throws {
    guard case .thread(let posts) = page else { return }
    let threads = try UpsertBatch<ForumThread>(
      in: context, key: "threadID", values: [posts.threadID])
    threads.existing(posts.threadID)?.update(\.lastRefresh, to: instant)
  }
}
