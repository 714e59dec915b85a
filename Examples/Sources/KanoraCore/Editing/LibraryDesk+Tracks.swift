import CoreData
public import Foundation
import OpenPersistenceKit

extension LibraryDesk {
  /// Rates tracks.
  ///
  /// - Parameters:
  ///   - ids: The tracks.
  ///   - rating: A rating from 1 to 5, or 0 for none.
  /// - Throws: `KanoraError` with code `.badValue` or `.notFound`; any error the save throws.
  public func rate(_ ids: [UUID], _ rating: Int) async throws {
    guard (0...5).contains(rating) else {
      throw KanoraError(.badValue, "The rating must be a number from 0 to 5.")
    }
    try await perform(Self.name("Rate", ids.count)) { context in
      for track in try Self.objects(Track.self, ids, in: context) {
        track.update(\.rating, to: Int16(rating))
      }
    }
  }

  /// Marks or unmarks tracks as loved.
  ///
  /// - Throws: `KanoraError` with code `.notFound`; any error the save throws.
  public func love(_ ids: [UUID], _ isLoved: Bool) async throws {
    try await perform(Self.name(isLoved ? "Love" : "Unlove", ids.count)) { context in
      for track in try Self.objects(Track.self, ids, in: context) {
        track.update(\.isLoved, to: isLoved)
      }
    }
  }

  /// The number of attempts to record a play. An attempt fails only if another change to the same track is saved first.
  private static let playAttempts = RetryPolicy(
    attempts: 100, firstDelay: .milliseconds(1), longestDelay: .milliseconds(50), jitter: 1)

  /// Records that a track was played. This cannot be undone, because it is not an edit by the user.
  ///
  /// Simultaneous plays all count, also if different programs record them.
  ///
  /// - Throws: `KanoraError` with code `.notFound`; any error the save throws.
  public func recordPlay(of id: UUID) async throws {
    let instant = now()
    try await Self.playAttempts.run { _ in
      try await store.performBackgroundTask { context in
        // If another play is saved first, the conflict throws, and the next attempt reads the new count.
        context.mergePolicy = NSErrorMergePolicy
        try Self.object(Track.self, id, in: context).addPlay(at: instant)
      }
    }
  }

  /// Deletes tracks with their playlist items and plays, and any albums and artists that become empty. Files are kept.
  ///
  /// - Throws: `KanoraError` with code `.notFound`; any error the save throws.
  public func deleteTracks(_ ids: [UUID]) async throws {
    try await perform(Self.name("Delete", ids.count)) { context in
      try Self.delete(Self.objects(Track.self, ids, in: context), in: context)
    }
  }

  /// Deletes an album with its tracks, and its artist if no albums remain. Files are kept.
  ///
  /// - Throws: `KanoraError` with code `.notFound`; any error the save throws.
  public func deleteAlbum(_ id: UUID) async throws {
    try await perform("Delete Album") { context in
      let album = try Self.object(Album.self, id, in: context)
      try Self.closeGaps(of: album.tracks, in: context)
      let artist = album.artist
      context.delete(album)
      try Self.deleteEmpty([], [artist].compactMap { $0 }, in: context)
    }
  }

  /// Deletes an artist with all its albums and tracks. Files are kept.
  ///
  /// - Throws: `KanoraError` with code `.notFound`; any error the save throws.
  public func deleteArtist(_ id: UUID) async throws {
    try await perform("Delete Artist") { context in
      let artist = try Self.object(Artist.self, id, in: context)
      try Self.closeGaps(of: Set(artist.albums.flatMap(\.tracks)), in: context)
      context.delete(artist)
    }
  }

  /// Returns the name of an action on a number of tracks.
  static func name(_ verb: String, _ count: Int) -> String {
    count == 1 ? "\(verb) Track" : "\(verb) \(count) Tracks"
  }

  // MARK: Effects of deletions

  static func delete(_ tracks: [Track], in context: NSManagedObjectContext) throws {
    try closeGaps(of: Set(tracks), in: context)
    let albums = Set(tracks.compactMap(\.album))
    for track in tracks { context.delete(track) }
    context.processPendingChanges()
    for album in albums { album.updateTotals() }
    try deleteEmpty(Array(albums), albums.compactMap(\.artist), in: context)
  }

  /// Deletes the given albums and artists that are empty.
  static func deleteEmpty(
    _ albums: [Album], _ artists: [Artist], in context: NSManagedObjectContext
  ) throws {
    for album in albums where !album.tracks.contains(where: { !$0.isDeleted }) {
      context.delete(album)
    }
    context.processPendingChanges()
    for artist in Set(artists) where !artist.albums.contains(where: { !$0.isDeleted }) {
      context.delete(artist)
    }
    context.processPendingChanges()
  }

  /// Removes tracks that are about to be deleted from all playlists, so that positions have no gaps.
  private static func closeGaps(of tracks: Set<Track>, in context: NSManagedObjectContext) throws {
    let items = tracks.flatMap(\.playlistItems)
    let playlists = Set(items.compactMap(\.playlist))
    for item in items { context.delete(item) }
    context.processPendingChanges()
    for playlist in playlists { renumber(playlist.orderedItems) }
  }

  /// Numbers playlist items from 0, in the given order.
  static func renumber(_ items: [PlaylistItem]) {
    for (position, item) in items.enumerated() { item.update(\.position, to: Int32(position)) }
  }
}
