import CoreData
public import ForumScraping
public import Foundation
import OpenPersistenceKit

/// The reader's newest read marks: the marks that are pending, and the marks that the site has accepted recently.
///
/// A page contains the site's marks from the time when the page was requested. Imports therefore keep newer marks, including marks that
/// another program has set or sent since. A value over the stores; safe to use from any thread.
public struct ReaderMarks: Sendable {
  let store: ForumStore
  let personal: PersonalStore

  /// The time in seconds after which accepted marks are deleted, which is longer than any sync.
  private static let acceptedAge = 86_400.0

  /// Creates the marks of two stores.
  ///
  /// - Parameters:
  ///   - store: The store of the site's pages.
  ///   - personal: The store of the marks.
  public init(store: ForumStore, personal: PersonalStore) {
    self.store = store
    self.personal = personal
  }

  // MARK: Imports

  /// Imports a page in a new context and saves it. The threads keep the reader's newest marks.
  ///
  /// - Parameters:
  ///   - page: The scraped page.
  ///   - refreshed: The date when the page was fetched; nil for saved pages, which can be of any age.
  ///   - start: A date before the page was requested, according to the system's clock; nil for saved pages.
  /// - Returns: The numbers of saved changes.
  /// - Throws: Any error from the import, or from reading or saving marks.
  @discardableResult
  public func importPage(
    _ page: ScrapedPage, refreshed: Date? = nil, requestedAfter start: Date? = nil
  ) async throws -> ImportSummary {
    let known = try await newest(since: start)
    let summary = try await store.importPage(page, refreshed: refreshed, keeping: known)
    try await restore(since: start, besides: known)
    return summary
  }

  /// Stores the newest marks in the threads again.
  ///
  /// - Parameter start: The date since which the site has accepted the marks to store; nil for only the pending marks.
  func restore(since start: Date?) async throws { try await restore(since: start, besides: [:]) }

  private func restore(since start: Date?, besides stored: [String: Int32]) async throws {
    var stored = stored
    while true {
      let newest = try await newest(since: start)
      // A save may have overwritten a mark that the reader set after the marks were read.
      if newest == stored { return }
      try await store.performBackgroundTask { try Self.set(newest, in: $0) }
      stored = newest
    }
  }

  /// Stores marks in the threads that are stored.
  ///
  /// - Parameters:
  ///   - marks: The numbers of seen posts by thread id.
  ///   - context: The context of the threads. This method does not save it.
  /// - Throws: Any error from the fetch.
  static func set(_ marks: [String: Int32], in context: NSManagedObjectContext) throws {
    if marks.isEmpty { return }
    let threads = try UpsertBatch<ForumThread>(
      in: context, key: "threadID", values: Array(marks.keys))
    for (threadID, seen) in marks {
      guard let thread = threads.existing(threadID) else { continue }
      thread.update(\.seenPosts, to: min(seen, Int32(clamping: thread.postCount)))
      thread.updateDerivedCounts()
    }
  }

  // MARK: The stored marks

  /// Returns the pending marks and the marks that the site has accepted since a date, by thread id.
  private func newest(since start: Date?) async throws -> [String: Int32] {
    let now = Date()
    return try await personal.performBackgroundTask { context in
      // A mark that another program sends between the two fetches is among the pending marks.
      let pending = try Self.pending(in: context)
      var marks: [String: Int32] = [:]
      if let start {
        let request = NSFetchRequest<AcceptedMark>(entityName: "AcceptedMark")
        // A date in the future comes from a wrong clock.
        request.predicate = NSPredicate(
          format: "acceptedAt >= %@ AND acceptedAt <= %@", argumentArray: [start, now])
        for mark in try context.fetch(request) { marks[mark.threadID] = mark.seenPosts }
      }
      for (threadID, seen) in pending { marks[threadID] = seen }
      return marks
    }
  }

  /// Returns the pending marks.
  func pending() async throws -> [(threadID: String, seen: Int32)] {
    try await personal.performBackgroundTask { try Self.pending(in: $0) }
  }

  private static func pending(
    in context: NSManagedObjectContext
  ) throws -> [(threadID: String, seen: Int32)] {
    try context.fetch(NSFetchRequest<PendingMark>(entityName: "PendingMark"))
      .map { (threadID: $0.threadID, seen: $0.seenPosts) }
  }

  /// Records that the site has accepted a mark. In the same save, the mark stops being pending, unless the reader has changed it since.
  func accept(_ threadID: String, _ seen: Int32) async throws {
    let now = Date()
    try await personal.performBackgroundTask { context in
      try Self.forget(threadID, seen, in: context)
      let request = NSFetchRequest<AcceptedMark>(entityName: "AcceptedMark")
      var mark: AcceptedMark?
      for stored in try context.fetch(request) {
        if stored.threadID == threadID {
          mark = stored
        } else if abs(now.timeIntervalSince(stored.acceptedAt)) > Self.acceptedAge {
          context.delete(stored)
        }
      }
      let accepted = mark ?? AcceptedMark(context: context)
      if mark == nil { accepted.threadID = threadID }
      accepted.seenPosts = seen
      accepted.acceptedAt = now
    }
  }

  /// Deletes a pending mark that the site does not want, unless the reader has changed it since.
  func forget(_ threadID: String, _ seen: Int32) async throws {
    try await personal.performBackgroundTask { try Self.forget(threadID, seen, in: $0) }
  }

  private static func forget(
    _ threadID: String, _ seen: Int32, in context: NSManagedObjectContext
  ) throws {
    let request = PersonalStore.request(PendingMark.self, "threadID", threadID)
    // A mark that changed in the meantime is sent next time.
    for mark in try context.fetch(request) where mark.seenPosts == seen { context.delete(mark) }
  }
}
