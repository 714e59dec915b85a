public import CoreData
import Foundation
public import StoreSharing

/// The lists of a library's views, as they change.
///
/// A value over shared state; usable anywhere.
public struct LibraryFeed: Sendable {
  /// What reads and follows the store.
  public let store: StoreFeed
  private let now: @Sendable () -> Date

  /// Makes the lists of a store.
  ///
  /// - Parameters:
  ///   - store: What reads and follows it.
  ///   - now: The clock, from which the days of queries are counted back.
  public init(_ store: StoreFeed, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
  }

  private static let content: Set = ["Track", "Album", "Artist"]

  /// One window of the tracks that pass a filter.
  public func tracks(
    _ filter: TrackFilter = TrackFilter(), by order: TrackOrder = .album, isAscending: Bool = true,
    window: Range<Int>
  ) -> FollowedRows<TrackRow> {
    rows(Self.content) { [now] in
      try LibraryLists.tracks(
        filter, by: order, isAscending: isAscending, window: window, now: now(), in: $0)
    }
  }

  /// How many tracks pass a filter, as one row.
  public func trackCount(_ filter: TrackFilter = TrackFilter()) -> FollowedRows<Int> {
    rows(Self.content) { [now] in [try LibraryLists.trackCount(filter, now: now(), in: $0)] }
  }

  /// The genres of the tracks that pass a filter.
  public func genres(
    _ filter: TrackFilter = TrackFilter()
  ) -> FollowedRows<CountedValue<String>> {
    rows(Self.content) { [now] in try LibraryLists.genres(filter, now: now(), in: $0) }
  }

  /// The years of the tracks that pass a filter.
  public func years(_ filter: TrackFilter = TrackFilter()) -> FollowedRows<CountedValue<Int>> {
    rows(Self.content) { [now] in try LibraryLists.years(filter, now: now(), in: $0) }
  }

  /// The artists of the tracks that pass a filter, or one window of them.
  public func artists(
    _ filter: TrackFilter = TrackFilter(), window: Range<Int>? = nil
  ) -> FollowedRows<ArtistRow> {
    rows(Self.content) { [now] in
      try LibraryLists.artists(filter, window: window, now: now(), in: $0)
    }
  }

  /// The albums of the tracks that pass a filter, or one window of them.
  public func albums(
    _ filter: TrackFilter = TrackFilter(), window: Range<Int>? = nil
  ) -> FollowedRows<AlbumRow> {
    rows(Self.content) { [now] in
      try LibraryLists.albums(filter, window: window, now: now(), in: $0)
    }
  }

  /// The playlists.
  public var playlists: FollowedRows<PlaylistRow> {
    rows(["Playlist", "PlaylistItem"]) { try LibraryLists.playlists(in: $0) }
  }

  /// The tracks of a playlist; those of a smart one change when tracks do.
  public func tracks(ofPlaylist id: UUID) -> FollowedRows<TrackRow> {
    rows(Self.content.union(["Playlist", "PlaylistItem"])) { [now] in
      try LibraryLists.tracks(ofPlaylist: id, now: now(), in: $0)
    }
  }

  /// One window of the tracks of a playlist with their places.
  public func entries(ofPlaylist id: UUID, window: Range<Int>) -> FollowedRows<PlaylistEntry> {
    rows(Self.content.union(["Playlist", "PlaylistItem"])) { [now] in
      try LibraryLists.entries(ofPlaylist: id, window: window, now: now(), in: $0)
    }
  }

  /// How many tracks a playlist has, as one row.
  public func trackCount(ofPlaylist id: UUID) -> FollowedRows<Int> {
    rows(Self.content.union(["Playlist", "PlaylistItem"])) {
      let details = try LibraryLists.playlist(id, in: $0)
      guard let rules = details.rules else { return [details.row.itemCount] }
      return [try LibraryLists.trackCount(of: rules, in: $0)]
    }
  }

  /// The tracks of ids; those that are gone are left out.
  public func tracks(_ ids: [UUID]) -> FollowedRows<TrackRow> {
    rows(Self.content) { try LibraryLists.tracks(ids, in: $0) }
  }

  /// The files that scans could not read.
  public var badFiles: FollowedRows<BadFileRow> {
    rows(["BadFile"]) { try LibraryLists.badFiles(in: $0) }
  }

  private func rows<Row: Sendable>(
    _ entities: Set<String>,
    _ load: @escaping @Sendable (NSManagedObjectContext) throws -> [Row]
  ) -> FollowedRows<Row> {
    FollowedRows { [store] in
      store.changes(ofEntities: entities)
    } load: { [store] in
      try await store.read(load)
    }
  }
}
