import CoreData
public import Foundation
import OpenPersistenceKit

/// The reader's favourite forums and hidden threads.
///
/// A value over the store; safe to use from any thread. Each call is one save.
public struct ReaderChoices: Sendable {
  private let store: PersonalStore

  /// Creates the choices of a store.
  public init(_ store: PersonalStore) { self.store = store }

  // MARK: Favourites

  /// Returns the ids of the favourite forums, in the reader's order.
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

  /// Sets the favourites and their order. Forums that are not in the list are no longer favourites.
  ///
  /// - Parameter forumIDs: The ids of the forums. Duplicates are ignored.
  public func setFavorites(_ forumIDs: [String]) async throws {
    _ = try await changeFavorites { _ in forumIDs }
  }

  /// Changes the favourites and their order. Favourites that are added at the same time stay.
  ///
  /// - Parameter change: A closure that receives the ids of the favourite forums in the reader's order, and returns the new ids.
  ///   Duplicates are ignored.
  /// - Returns: The ids before the change; nil if the closure changes nothing.
  /// - Throws: Any error from the closure, the fetch or the save. The favourites are unchanged in that case.
  public func changeFavorites(
    _ change: @escaping @Sendable ([String]) throws -> [String]
  ) async throws -> [String]? {
    try await store.performBackgroundTask { context -> [String]? in
      let favorites = try Self.favorites(in: context)
      let order = favorites.map(\.forumID)
      let changed = try change(order)
      if changed == order { return nil }
      var stored = Dictionary(favorites.map { ($0.forumID, $0) }, uniquingKeysWith: { $1 })
      var place: Int32 = 0
      var seen: Set<String> = []
      for id in changed where seen.insert(id).inserted {
        let favorite = stored.removeValue(forKey: id) ?? FavoriteForum(context: context)
        favorite.update(\.forumID, to: id)
        favorite.update(\.place, to: place)
        place += 1
      }
      for favorite in stored.values { context.delete(favorite) }
      return order
    }
  }

  // MARK: Hidden threads

  /// A thread that the reader has hidden.
  public struct Hidden: Sendable, Equatable {
    /// The thread's id on the site.
    public let threadID: String
    /// The title of the thread when it was hidden.
    public let title: String
  }

  /// Returns the hidden threads, latest first.
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

  /// Hides a thread from all lists except the bookmarks, or shows it again.
  ///
  /// - Parameters:
  ///   - isHidden: Whether to hide the thread.
  ///   - threadID: The thread's id.
  ///   - title: The thread's title, which helps the reader find it again.
  ///   - instant: The current date.
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
