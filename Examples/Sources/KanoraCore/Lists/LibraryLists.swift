public import CoreData
import Foundation
import StoreSharing

/// The lists of a library as values. Each list takes a fixed number of statements, regardless of the library's size.
///
/// > Concurrency: Call on the context's queue. Track counts include saved tracks only.
public enum LibraryLists {
  // MARK: Tracks

  /// Returns one window of the tracks that match a filter.
  ///
  /// - Parameters:
  ///   - filter: The filter that tracks must match.
  ///   - order: The sort order, in which no two tracks are equal.
  ///   - isAscending: Whether the order is ascending.
  ///   - window: The positions.
  ///   - now: The date from which days are counted back.
  ///   - context: The context to fetch in.
  /// - Throws: Any error the fetch throws.
  public static func tracks(
    _ filter: TrackFilter = TrackFilter(), by order: TrackOrder = .album, isAscending: Bool = true,
    window: Range<Int>, now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    if window.isEmpty { return [] }
    let request = request(filter, by: order, isAscending: isAscending, now: now)
    request.fetchOffset = max(0, window.lowerBound)
    request.fetchLimit = window.count
    if window.lowerBound >= farWindow, !context.hasChanges {
      if order == .album {
        try AlbumWindow(filter, isAscending: isAscending, window: window, now: now, in: context)
          .narrow(request)
      } else {
        try narrowToIDs(request, in: context)
      }
    }
    return try context.fetch(request).map(TrackRow.init)
  }

  /// The position from which a window is found without sorting all tracks with all their values.
  private static let farWindow = 200

  /// Restricts a request for a window to the ids of its tracks, which are found by sorting ids only.
  private static func narrowToIDs(
    _ request: NSFetchRequest<Track>, in context: NSManagedObjectContext
  ) throws {
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Track")
    ids.resultType = .managedObjectIDResultType
    (ids.predicate, ids.sortDescriptors) = (request.predicate, request.sortDescriptors)
    (ids.fetchOffset, ids.fetchLimit) = (request.fetchOffset, request.fetchLimit)
    request.predicate = NSPredicate(
      format: "SELF IN %@", argumentArray: [try context.fetch(ids)])
    request.fetchOffset = 0
  }

  /// Returns the number of tracks that match a filter.
  public static func trackCount(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = filter.predicate(now: now)
    return try context.count(for: request)
  }

  /// Returns the ids of all tracks that match a filter, in order.
  public static func trackIDs(
    _ filter: TrackFilter = TrackFilter(), by order: TrackOrder = .album, isAscending: Bool = true,
    now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [UUID] {
    let tracks = request(filter, by: order, isAscending: isAscending, now: now)
    let request = NSFetchRequest<NSDictionary>(entityName: "Track")
    request.predicate = tracks.predicate
    request.sortDescriptors = tracks.sortDescriptors
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["id"]
    return try context.fetch(request).compactMap { $0["id"] as? UUID }
  }

  /// Returns the tracks with the given ids, in the order of the ids. Deleted tracks are omitted.
  public static func tracks(
    _ ids: [UUID], in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    var rows: [UUID: TrackRow] = [:]
    for start in stride(from: 0, to: ids.count, by: 500) {
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(
        format: "id IN %@", argumentArray: [Array(ids[start..<min(start + 500, ids.count)])])
      request.relationshipKeyPathsForPrefetching = ["album", "album.artist"]
      for track in try context.fetch(request) { rows[track.id] = TrackRow(track) }
    }
    return ids.compactMap { rows[$0] }
  }

  static func request(
    _ filter: TrackFilter, by order: TrackOrder, isAscending: Bool, now: Date
  ) -> NSFetchRequest<Track> {
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = filter.predicate(now: now)
    request.sortDescriptors = order.descriptors(isAscending: isAscending)
    request.relationshipKeyPathsForPrefetching = ["album", "album.artist"]
    return request
  }

  /// Returns the tracks that were played last, latest first.
  public static func recentlyPlayed(
    limit: Int = 50, in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    try first(limit, .played, "lastPlayedAt != nil", in: context)
  }

  /// Returns the tracks that were played most often.
  public static func mostPlayed(
    limit: Int = 50, in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    try first(limit, .plays, "playCount > 0", in: context)
  }

  private static func first(
    _ limit: Int, _ order: TrackOrder, _ format: String, in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    let request = request(TrackFilter(), by: order, isAscending: false, now: Date())
    request.predicate = NSPredicate(format: format, argumentArray: [])
    request.fetchLimit = max(1, limit)
    return try context.fetch(request).map(TrackRow.init)
  }
}
