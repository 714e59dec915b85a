import CoreData
public import Foundation
import OpenPersistenceKit

/// The threads that the reader saves for later. `ThreadSaver` fetches them; pruning keeps them.
///
/// A value over the store; safe to use from any thread. Each call is one save.
public struct SavedThreads: Sendable {
  private let store: PersonalStore

  /// Creates the list of a store.
  public init(_ store: PersonalStore) { self.store = store }

  /// Returns the threads in the order in which the reader saved them.
  public func rows() async throws -> [SavedThreadRow] {
    try await store.performBackgroundTask { try Self.rows(in: $0) }
  }

  static func rows(in context: NSManagedObjectContext) throws -> [SavedThreadRow] {
    let request = NSFetchRequest<SavedThread>(entityName: "SavedThread")
    request.sortDescriptors = [
      NSSortDescriptor(key: "askedAt", ascending: true),
      NSSortDescriptor(key: "threadID", ascending: true),
    ]
    return try context.fetch(request).map { try SavedThreadRow($0) }
  }

  /// Saves complete threads for later. Complete threads that are already on the list continue from the last page that they reached.
  ///
  /// - Parameters:
  ///   - threads: The ids and titles of the threads.
  ///   - instant: The current date.
  public func add(_ threads: [(id: String, title: String)], at instant: Date = Date()) async throws
  {
    try await store.performBackgroundTask { context in
      for (id, title) in threads {
        try Self.addPages((first: 1, last: 0), of: id, title, at: instant, in: context)
      }
    }
  }

  /// Saves some pages of a thread for later. A thread that is saved completely stays so. Pages of the thread that are still waiting are
  /// fetched too, with the pages in between.
  ///
  /// - Parameters:
  ///   - pages: The numbers of the pages, starting at 1.
  ///   - id: The id of the thread.
  ///   - title: The title of the thread.
  ///   - instant: The current date.
  public func add(
    _ pages: ClosedRange<Int>, ofThread id: String, title: String, at instant: Date = Date()
  ) async throws {
    let first = Int32(clamping: max(1, pages.lowerBound))
    let last = Int32(clamping: max(1, pages.upperBound))
    try await store.performBackgroundTask { context in
      try Self.addPages((first: first, last: last), of: id, title, at: instant, in: context)
    }
  }

  /// Adds pages of a thread; the last page is 0 for all pages.
  private static func addPages(
    _ pages: (first: Int32, last: Int32), of id: String, _ title: String, at instant: Date,
    in context: NSManagedObjectContext
  ) throws {
    let request = PersonalStore.request(SavedThread.self, "threadID", id)
    let thread = try context.fetch(request).first ?? SavedThread(context: context)
    let isUnfinished = [SavedThreadState.waiting, .paused].map(\.rawValue).contains(thread.state)
    if thread.isInserted {
      (thread.threadID, thread.askedAt) = (id, instant)
      (thread.nextPage, thread.lastPage) = (pages.first, pages.last)
    } else if thread.lastPage > 0, pages.last > 0, isUnfinished {
      thread.nextPage = min(thread.nextPage, pages.first)
      thread.lastPage = max(thread.lastPage, pages.last)
    } else if thread.lastPage > 0 {
      // Only some pages were saved before.
      (thread.nextPage, thread.lastPage) = (pages.first, pages.last)
    } else if thread.state != SavedThreadState.waiting.rawValue {
      // The last page may have new posts.
      thread.nextPage = max(1, thread.nextPage - 1)
    }
    thread.update(\.title, to: title)
    thread.update(\.state, to: SavedThreadState.waiting.rawValue)
    thread.problem = nil
  }

  /// Pauses or resumes fetching a thread.
  public func setPaused(_ isPaused: Bool, _ threadID: String) async throws {
    let (from, to): (SavedThreadState, SavedThreadState) =
      isPaused ? (.waiting, .paused) : (.paused, .waiting)
    try await store.performBackgroundTask { context in
      let request = PersonalStore.request(SavedThread.self, "threadID", threadID)
      for thread in try context.fetch(request) where thread.state == from.rawValue {
        thread.state = to.rawValue
      }
    }
  }

  /// Removes a thread from the list. Its posts stay until they are pruned.
  public func remove(_ threadID: String) async throws {
    try await store.performBackgroundTask { context in
      let request = PersonalStore.request(SavedThread.self, "threadID", threadID)
      try context.fetch(request).forEach(context.delete)
    }
  }
}
