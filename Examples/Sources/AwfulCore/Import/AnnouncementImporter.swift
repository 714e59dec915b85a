import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports announcements. Announcements have no ids, so only their places identify them.
///
/// Confined to its context.
struct AnnouncementImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports the announcement rows of a thread list, and deletes the stored announcements beyond them.
  func importRows(_ rows: [ThreadListPage.AnnouncementRow]) throws {
    let stored = try stored()
    let users = try UpsertBatch<User>(
      in: context, key: "userID", values: rows.compactMap(\.authorID))
    let tags = try ThreadTagBatch(
      in: context, icons: rows.compactMap(\.icon), imageNames: [])
    for (place, row) in rows.enumerated() {
      let isStored = stored.indices.contains(place)
      let announcement = isStored ? stored[place] : Announcement(context: context)
      announcement.update(\.listIndex, to: Int32(clamping: place))
      importRow(row, announcement)
      announcement.update(\.threadTag, to: row.icon.map { tags[$0] })
      guard let authorID = row.authorID else { continue }
      let author = users[authorID]
      author.updateUnlessEmpty(\.username, to: row.authorName)
      announcement.update(\.author, to: author)
    }
    for announcement in stored.dropFirst(rows.count) { context.delete(announcement) }
  }

  /// Stores the bodies in the announcements at the same places.
  ///
  /// An announcement whose body changed counts as unseen again.
  func importBodies(_ page: AnnouncementsPage) throws {
    for (announcement, body) in zip(try stored(), page.announcements) {
      if announcement.update(\.bodyHTML, to: body.bodyHTML) {
        announcement.update(\.hasBeenSeen, to: false)
      }
      announcement.update(\.authorCustomTitleHTML, to: body.author.customTitleHTML)
      if announcement.authorUsername.isEmpty {
        announcement.update(\.authorUsername, to: body.author.name)
      }
    }
  }

  private func stored() throws -> [Announcement] {
    let request: NSFetchRequest<Announcement> = Announcement.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "listIndex", ascending: true)]
    return try context.fetch(request)
  }

  private func importRow(_ row: ThreadListPage.AnnouncementRow, _ announcement: Announcement) {
    if !row.title.isEmpty, announcement.update(\.title, to: row.title) {
      announcement.update(\.bodyHTML, to: "")
      announcement.update(\.hasBeenSeen, to: false)
    }
    if !row.authorName.isEmpty { announcement.update(\.authorUsername, to: row.authorName) }
    guard let updated = row.updated else { return }
    announcement.update(\.postedDateRaw, to: updated.printed)
    announcement.updateIfPresent(\.postedDate, to: updated.date)
  }
}
