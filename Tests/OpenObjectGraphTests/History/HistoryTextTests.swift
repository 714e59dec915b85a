import Foundation
import OpenCoreData
import Testing

@Suite("Texts in the history")
struct HistoryTextTests {
  private func history(
    _ request: NSPersistentHistoryChangeRequest, in context: NSManagedObjectContext
  ) throws -> [NSPersistentHistoryTransaction] {
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return try #require(result?.result as? [NSPersistentHistoryTransaction])
  }

  @Test(
    "authors, names and preserved values keep characters after a null character",
    arguments: TrackStack.Place.allCases)
  func nullCharacters(_ place: TrackStack.Place) throws {
    let stack = try TrackStack(place, history: true)
    let (author, name, title) = ("me\0\u{1}", "main\0", "T\0a")
    let context = stack.makeContext(author: author, name: name)
    try context.performAndWait {
      let track = TrackStack.insert("Track", ["title": title], in: context)
      try context.save()
      context.delete(track)
      try context.save()
      let start: NSPersistentHistoryToken? = nil
      let all = try history(.fetchHistory(after: start), in: context)
      #expect(all.map(\.author) == [author, author])
      #expect(all.map(\.contextName) == [name, name])
      #expect(all.last?.changes?.last?.tombstone?["title"] as? String == title)
      let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
      request.predicate = NSPredicate(format: "author == %@", author)
      #expect(try history(.fetchHistory(withFetch: request), in: context) == all)
    }
  }
}
