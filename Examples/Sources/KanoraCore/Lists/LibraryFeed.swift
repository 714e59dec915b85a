public import CoreData
import Foundation
public import StoreSharing

/// The live lists of a library's views.
///
/// A value over shared state; usable from any thread.
public struct LibraryFeed: Sendable {
  /// The feed that reads and follows the store.
  public let store: StoreFeed
  private let now: @Sendable () -> Date

  /// Creates the lists of a store.
  ///
  /// - Parameters:
  ///   - store: The feed that reads and follows the store.
  ///   - now: The clock, from which the days of queries are counted back.
  public init(_ store: StoreFeed, now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.now = now
  }

  private static let content: Set = ["Track", "Album", "Artist"]

  /// Returns one window of the tracks that match a filter.
  public func tracks(
    _ filter: TrackFilter = TrackFilter(), by order: TrackOrder = .album, isAscending: Bool = true,
    window: Range<Int>
  ) -> FollowedRows<TrackRow> {
    rows(Self.content) { [now] in
      try LibraryLists.tracks(
        filter, by: order, isAscending: isAscending, window: window, now: now(), in: $0)
    }
  }

  /// Returns the number of tracks that match a filter, as one row.
  public func trackCount(_ filter: TrackFilter = TrackFilter()) -> FollowedRows<Int> {
    rows(Self.content) { [now] in [try LibraryLists.trackCount(filter, now: now(), in: $0)] }
  }

  /// Returns the genres of the tracks that match a filter.
  public func genres(
    _ filter: TrackFilter = TrackFilter()
  ) -> FollowedRows<CountedValue<String>> {
    rows(Self.content) { [now] in try LibraryLists.genres(filter, now: now(), in: $0) }
  }

  /// Returns the years of the tracks that match a filter.
  public func years(_ filter: TrackFilter = TrackFilter()) -> FollowedRows<CountedValue<Int>> {
    rows(Self.content) { [now] in try LibraryLists.years(filter, now: now(), in: $0) }
  }

  /// Returns the artists of the tracks that match a filter, or one window of them.
  public func artists(
    _ filter: TrackFilter = TrackFilter(), window: Range<Int>? = nil
  ) -> FollowedRows<ArtistRow> {
    rows(Self.content) { [now] in
      try LibraryLists.artists(filter, window: window, now: now(), in: $0)
    }
  }

  /// Returns the albums of the tracks that match a filter, or one window of them.
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

  /// Returns the tracks of a playlist. The tracks of a smart playlist change when tracks change.
  public func tracks(ofPlaylist id: UUID) -> FollowedRows<TrackRow> {
    rows(Self.content.union(["Playlist", "PlaylistItem"])) { [now] in
      try LibraryLists.tracks(ofPlaylist: id, now: now(), in: $0)
    }
  }

  /// Returns one window of the tracks of a playlist with their positions.
  public func entries(ofPlaylist id: UUID, window: Range<Int>) -> FollowedRows<PlaylistEntry> {
    rows(Self.content.union(["Playlist", "PlaylistItem"])) { [now] in
      try LibraryLists.entries(ofPlaylist: id, window: window, now: now(), in: $0)
    }
  }

  /// Returns the number of tracks of a playlist, as one row.
  public func trackCount(ofPlaylist id: UUID) -> FollowedRows<Int> {
    rows(Self.content.union(["Playlist", "PlaylistItem"])) { [now] in
      let details = try LibraryLists.playlist(id, in: $0)
      guard let rules = details.rules else { return [details.row.itemCount] }
      return [try LibraryLists.trackCount(of: rules, now: now(), in: $0)]
    }
  }

  /// Returns the tracks with the given ids. Deleted tracks are omitted.
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
