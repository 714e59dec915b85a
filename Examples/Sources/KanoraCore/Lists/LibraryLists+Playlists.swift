public import CoreData
import Foundation
import StoreSharing

extension LibraryLists {
  /// Returns the playlists, sorted by name.
  public static func playlists(in context: NSManagedObjectContext) throws -> [PlaylistRow] {
    let counts = try GroupedCounts(of: "PlaylistItem", by: "playlist", in: context).byObject()
    let request = NSFetchRequest<Playlist>(entityName: "Playlist")
    return try context.fetch(request)
      .map { PlaylistRow($0, itemCount: counts[$0.objectID] ?? 0) }
      .sorted {
        (SearchText.fold($0.name), $0.id.uuidString) < (SearchText.fold($1.name), $1.id.uuidString)
      }
  }

  /// Returns one playlist, with its rules if it is a smart playlist.
  ///
  /// - Throws: `KanoraError` with code `.notFound`; any error the fetch throws.
  public static func playlist(
    _ id: UUID, in context: NSManagedObjectContext
  ) throws -> PlaylistDetails {
    let playlist = try LibraryDesk.object(Playlist.self, id, in: context)
    let items = NSFetchRequest<PlaylistItem>(entityName: "PlaylistItem")
    items.predicate = NSPredicate(
      format: "playlist == %@ AND track != nil", argumentArray: [playlist])
    let row = PlaylistRow(playlist, itemCount: try context.count(for: items))
    guard playlist.isSmart else { return PlaylistDetails(row: row, rules: nil, problem: nil) }
    do {
      return PlaylistDetails(row: row, rules: try SmartRules(of: playlist), problem: nil)
    } catch let error as KanoraError {
      return PlaylistDetails(row: row, rules: nil, problem: error.message)
    }
  }

  /// Returns the tracks of a playlist in its order, or the tracks that match the rules of a smart playlist.
  ///
  /// - Throws: `KanoraError` with code `.notFound` or `.badRules`; any error the fetch throws.
  public static func tracks(
    ofPlaylist id: UUID, now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    try entries(ofPlaylist: id, now: now, in: context).map(\.track)
  }

  /// Returns one window of the tracks of a playlist with their positions.
  ///
  /// - Parameters:
  ///   - id: The playlist.
  ///   - window: The positions, or nil for all.
  ///   - now: The date from which the days of rules are counted back.
  ///   - context: The context to fetch in.
  /// - Throws: `KanoraError` with code `.notFound` or `.badRules`; any error the fetch throws.
  public static func entries(
    ofPlaylist id: UUID, window: Range<Int>? = nil, now: Date = Date(),
    in context: NSManagedObjectContext
  ) throws -> [PlaylistEntry] {
    let playlist = try LibraryDesk.object(Playlist.self, id, in: context)
    if playlist.isSmart {
      let rules = try SmartRules(of: playlist)
      let shown = (window ?? 0..<Int.max).clamped(to: 0..<(rules.limit ?? Int.max))
      if shown.isEmpty { return [] }
      let request = rules.request(now: now)
      request.relationshipKeyPathsForPrefetching = ["album", "album.artist"]
      request.fetchOffset = shown.lowerBound
      // Without a limit, all remaining tracks are fetched.
      request.fetchLimit = shown.upperBound == Int.max ? 0 : shown.count
      return try context.fetch(request).enumerated().map { offset, track in
        PlaylistEntry(
          id: track.id, position: shown.lowerBound + offset, track: TrackRow(track))
      }
    }
    let request = NSFetchRequest<PlaylistItem>(entityName: "PlaylistItem")
    request.predicate = NSPredicate(
      format: "playlist == %@ AND track != nil", argumentArray: [playlist])
    request.sortDescriptors = ["position", "id"].map { NSSortDescriptor(key: $0, ascending: true) }
    request.relationshipKeyPathsForPrefetching = ["track", "track.album", "track.album.artist"]
    if let window {
      if window.isEmpty { return [] }
      request.fetchOffset = window.lowerBound
      request.fetchLimit = window.count
    }
    return try context.fetch(request).compactMap { item in
      item.track.map {
        PlaylistEntry(id: item.id, position: Int(item.position), track: TrackRow($0))
      }
    }
  }

  /// Returns the number of tracks that match the rules of a smart playlist.
  ///
  /// - Throws: Any error the fetch throws.
  public static func trackCount(
    of rules: SmartRules, now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    let count = try trackCount(TrackFilter(query: rules.query), now: now, in: context)
    return min(count, rules.limit ?? Int.max)
  }

  /// Returns the files that scans could not read, sorted by path.
  ///
  /// - Parameters:
  ///   - library: The library that was scanned, or nil for all.
  ///   - context: The context to fetch in.
  /// - Throws: Any error the fetch throws.
  public static func badFiles(
    of library: UUID? = nil, in context: NSManagedObjectContext
  ) throws -> [BadFileRow] {
    let request = NSFetchRequest<BadFile>(entityName: "BadFile")
    request.predicate = library.map {
      NSPredicate(format: "library.id == %@", argumentArray: [$0])
    }
    request.sortDescriptors = [NSSortDescriptor(key: "path", ascending: true)]
    return try context.fetch(request).map {
      BadFileRow(path: $0.path, reason: $0.reason, seenAt: $0.seenAt)
    }
  }
}
