import CoreData
public import Foundation
import OpenPersistenceKit

/// The threads that the reader wants to have whole. `ThreadSaver` fetches them; pruning leaves them alone.
///
/// A value over the store; usable anywhere. Each call is one save.
public struct SavedThreads: Sendable {
  private let store: PersonalStore

  /// Makes the list of a store.
  public init(_ store: PersonalStore) { self.store = store }

  /// The threads, in the order in which the reader asked for them.
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

  /// Asks for threads; those that are asked for already are fetched again from the page on that they had reached.
  ///
  /// - Parameters:
  ///   - threads: Ids and titles.
  ///   - instant: The present instant.
  public func add(_ threads: [(id: String, title: String)], at instant: Date = Date()) async throws
  {
    try await store.performBackgroundTask { context in
      for (id, title) in threads {
        let request = PersonalStore.request(SavedThread.self, "threadID", id)
        let thread = try context.fetch(request).first ?? SavedThread(context: context)
        if thread.isInserted {
          (thread.threadID, thread.askedAt) = (id, instant)
        } else if thread.state != SavedThreadState.waiting.rawValue {
          // The last page may have more posts by now.
          thread.nextPage = max(1, thread.nextPage - 1)
        }
        thread.update(\.title, to: title)
        thread.update(\.state, to: SavedThreadState.waiting.rawValue)
        thread.problem = nil
      }
    }
  }

  /// Stops fetching a thread for the time being, or goes on with it.
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

  /// Forgets that the reader wants a thread; its posts stay until they are pruned.
  public func remove(_ threadID: String) async throws {
    try await store.performBackgroundTask { context in
      let request = PersonalStore.request(SavedThread.self, "threadID", threadID)
      try context.fetch(request).forEach(context.delete)
    }
  }
}
