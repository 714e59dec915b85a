import CoreData
import Foundation

/// How old the stored lists are, and which of them the site is to be asked for again.
struct ListAges: Sendable {
  let store: ForumStore
  let spacing: RefreshSpacing
  let clock: SyncClock

  /// Whether a list is younger than the site is to be asked for it again.
  func isYoung(_ list: ForumStore.NotedList) -> Bool {
    let spacing =
      switch list {
      case .index: spacing.index
      case .bookmarks: spacing.bookmarks
      case .messages: spacing.messages
      }
    return isYoung(store.lastRefresh(of: list), spacing)
  }

  /// Notes that a list was fetched whole.
  func note(_ list: ForumStore.NotedList) throws {
    try store.noteRefresh(of: list, at: clock.now())
  }

  /// The forums whose lists of threads the site is to be asked for again.
  func old(_ forumIDs: [String], in context: NSManagedObjectContext) throws -> [String] {
    let forums = try context.fetch(Forum.fetchRequest() as NSFetchRequest<Forum>)
    let refreshed = Dictionary(
      forums.map { ($0.forumID, $0.lastRefresh) }, uniquingKeysWith: { one, _ in one })
    return forumIDs.filter { !isYoung(refreshed[$0] ?? nil, spacing.forum) }
  }

  private func isYoung(_ refreshed: Date?, _ spacing: Duration) -> Bool {
    guard let refreshed else { return false }
    let age = clock.now().timeIntervalSince(refreshed)
    // A time to come is the mistake of a clock.
    return age >= 0 && .seconds(age) < spacing
  }
}
