import CoreData
public import Foundation
import OpenPersistenceKit

/// Which forums and threads the reader likes to see first, and which not at all.
///
/// A value over the store; usable anywhere. Each call is one save.
public struct ReaderChoices: Sendable {
  private let store: PersonalStore

  /// Makes the choices of a store.
  public init(_ store: PersonalStore) { self.store = store }

  // MARK: Favourites

  /// The ids of the favourite forums, in the reader's order.
  public func favorites() async throws -> [String] {
    try await store.performBackgroundTask { try Self.favorites(in: $0).map(\.forumID) }
  }

  static func favorites(in context: NSManagedObjectContext) throws -> [FavoriteForum] {
    let request = NSFetchRequest<FavoriteForum>(entityName: "FavoriteForum")
    request.sortDescriptors = [
      NSSortDescriptor(key: "place", ascending: true),
      NSSortDescriptor(key: "forumID", ascending: true),
    ]
    return try context.fetch(request)
  }

  /// Puts forums into an order; those that are not named are favourites no more.
  ///
  /// - Parameter forumIDs: The ids, each once; a second one is left out.
  public func setFavorites(_ forumIDs: [String]) async throws {
    try await store.performBackgroundTask { context in
      var stored = Dictionary(
        try Self.favorites(in: context).map { ($0.forumID, $0) }, uniquingKeysWith: { $1 })
      var place: Int32 = 0
      var seen: Set<String> = []
      for id in forumIDs where seen.insert(id).inserted {
        let favorite = stored.removeValue(forKey: id) ?? FavoriteForum(context: context)
        favorite.update(\.forumID, to: id)
        favorite.update(\.place, to: place)
        place += 1
      }
      for favorite in stored.values { context.delete(favorite) }
    }
  }

  // MARK: Hidden threads

  /// A thread that the reader does not want to see.
  public struct Hidden: Sendable, Equatable {
    /// The site's id of the thread.
    public let threadID: String
    /// The title that it had.
    public let title: String
  }

  /// The hidden threads, the latest first.
  public func hiddenThreads() async throws -> [Hidden] {
    try await store.performBackgroundTask { try Self.hiddenThreads(in: $0) }
  }

  static func hiddenThreads(in context: NSManagedObjectContext) throws -> [Hidden] {
    let request = NSFetchRequest<HiddenThread>(entityName: "HiddenThread")
    request.sortDescriptors = [
      NSSortDescriptor(key: "hiddenAt", ascending: false),
      NSSortDescriptor(key: "threadID", ascending: true),
    ]
    return try context.fetch(request).map { Hidden(threadID: $0.threadID, title: $0.title) }
  }

  /// Takes a thread off all lists but the bookmarks, or puts it back.
  ///
  /// - Parameters:
  ///   - isHidden: Whether it is hidden from then on.
  ///   - threadID: The thread.
  ///   - title: Its title, by which the reader finds it again.
  ///   - instant: The present instant.
  public func setHidden(
    _ isHidden: Bool, _ threadID: String, title: String, at instant: Date = Date()
  ) async throws {
    try await store.performBackgroundTask { context in
      let hidden = try context.fetch(PersonalStore.request(HiddenThread.self, "threadID", threadID))
      if isHidden, hidden.isEmpty {
        let thread = HiddenThread(context: context)
        (thread.threadID, thread.title, thread.hiddenAt) = (threadID, title, instant)
      } else if !isHidden {
        hidden.forEach(context.delete)
      }
    }
  }
}
