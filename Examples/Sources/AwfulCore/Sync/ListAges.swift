import CoreData
import Foundation

/// Determines the ages of the stored lists, and which lists to fetch again.
struct ListAges: Sendable {
  let store: ForumStore
  let spacing: RefreshSpacing
  let clock: SyncClock

  /// Returns whether a list is too young to fetch again.
  func isYoung(_ list: ForumStore.NotedList) -> Bool {
    let spacing =
      switch list {
      case .index: spacing.index
      case .bookmarks: spacing.bookmarks
      case .messages: spacing.messages
      case .announcements: spacing.announcements
      }
    return isYoung(store.lastRefresh(of: list), spacing)
  }

  /// Records that a list was fetched completely.
  func note(_ list: ForumStore.NotedList) throws {
    try store.noteRefresh(of: list, at: clock.now())
  }

  /// Returns the forums whose thread lists need to be fetched again.
  func old(_ forumIDs: [String], in context: NSManagedObjectContext) throws -> [String] {
    let forums = try context.fetch(Forum.fetchRequest() as NSFetchRequest<Forum>)
    let refreshed = Dictionary(
      forums.map { ($0.forumID, $0.lastRefresh) }, uniquingKeysWith: { one, _ in one })
    return forumIDs.filter { !isYoung(refreshed[$0] ?? nil, spacing.forum) }
  }

  private func isYoung(_ refreshed: Date?, _ spacing: Duration) -> Bool {
    guard let refreshed else { return false }
    let age = clock.now().timeIntervalSince(refreshed)
    // A date in the future comes from a wrong clock.
    return age >= 0 && .seconds(age) < spacing
  }
}
