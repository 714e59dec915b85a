import CoreData
public import Foundation
import OpenPersistenceKit

/// The threads that the reader saves completely. `ThreadSaver` fetches them; pruning keeps them.
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

  /// Saves threads for later. Threads that are already on the list continue from the last page that they reached.
  ///
  /// - Parameters:
  ///   - threads: The ids and titles of the threads.
  ///   - instant: The current date.
  public func add(_ threads: [(id: String, title: String)], at instant: Date = Date()) async throws
  {
    try await store.performBackgroundTask { context in
      for (id, title) in threads {
        let request = PersonalStore.request(SavedThread.self, "threadID", id)
        let thread = try context.fetch(request).first ?? SavedThread(context: context)
        if thread.isInserted {
          (thread.threadID, thread.askedAt) = (id, instant)
        } else if thread.state != SavedThreadState.waiting.rawValue {
          // The last page may have new posts.
          thread.nextPage = max(1, thread.nextPage - 1)
        }
        thread.update(\.title, to: title)
        thread.update(\.state, to: SavedThreadState.waiting.rawValue)
        thread.problem = nil
      }
    }
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
