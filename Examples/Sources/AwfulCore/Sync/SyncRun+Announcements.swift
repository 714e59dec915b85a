import CoreData
import ForumScraping

extension SyncRun {
  /// Fetches the texts of the announcements, unless the stored ones are complete and recent. The thread lists contain only the titles, and
  /// a new title deletes the stored text.
  mutating func fetchAnnouncements() async throws {
    let (count, missingCount) = try await inStore(.threadLists) { context in
      let request = NSFetchRequest<Announcement>(entityName: "Announcement")
      let count = try context.count(for: request)
      request.predicate = NSPredicate(format: "bodyHTML == %@", argumentArray: [""])
      return (count, try context.count(for: request))
    }
    if count == 0 || missingCount == 0 && ages.isYoung(.announcements) { return }
    let request = Request(
      phase: .threadLists, subject: "the announcements", path: "announcement.php",
      query: [("forumid", "1")])
    guard case .read(let page, _) = try await read(request, { try $0.expectAnnouncements() })
    else { return }
    try await store(page, request)
    try inPhase(.threadLists) { try ages.note(.announcements) }
  }
}
