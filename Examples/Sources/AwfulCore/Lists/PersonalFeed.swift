import CoreData
public import StoreSharing

/// The lists of what the reader has written and chosen, with updates as they change.
///
/// A value over shared state; safe to use from any thread.
public struct PersonalFeed: Sendable {
  private let store: StoreFeed

  /// Creates the lists of a reader's personal store.
  public init(_ store: StoreFeed) { self.store = store }

  /// The drafts, newest first.
  public var drafts: FollowedRows<DraftRow> {
    rows(of: "Draft") { try DraftDesk.rows(in: $0) }
  }

  /// The threads that the reader saves for later.
  public var savedThreads: FollowedRows<SavedThreadRow> {
    rows(of: "SavedThread") { try SavedThreads.rows(in: $0) }
  }

  /// The bookmarked posts, most recent bookmark first.
  public var bookmarkedPosts: FollowedRows<PostBookmark> {
    rows(of: "BookmarkedPost") { try PostBookmarks.rows(in: $0) }
  }

  /// The hidden threads, latest first.
  public var hiddenThreads: FollowedRows<ReaderChoices.Hidden> {
    rows(of: "HiddenThread") { try ReaderChoices.hiddenThreads(in: $0) }
  }

  /// Returns threads without those that the reader has hidden.
  public func withoutHidden(_ threads: FollowedRows<ThreadRow>) -> FollowedRows<ThreadRow> {
    threads.joined(with: hiddenThreads) { threads, hidden in
      let ids = Set(hidden.map(\.threadID))
      return threads.filter { !ids.contains($0.threadID) }
    }
  }

  /// The ids of the favourite forums, in the reader's order.
  public var favorites: FollowedRows<String> {
    rows(of: "FavoriteForum") { try ReaderChoices.favorites(in: $0).map(\.forumID) }
  }

  private func rows<Row: Sendable>(
    of entity: String, _ load: @escaping @Sendable (NSManagedObjectContext) throws -> [Row]
  ) -> FollowedRows<Row> {
    FollowedRows { [store] in
      store.changes(ofEntities: [entity])
    } load: { [store] in
      try await store.read(load)
    }
  }
}
