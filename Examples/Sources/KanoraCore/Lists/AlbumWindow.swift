import CoreData
import Foundation
import StoreSharing

/// The albums that contain the tracks of a window when tracks are sorted by album.
///
/// To skip most of a long list, the store would have to sort all of its tracks, with all their values. The sorted albums, each with its
/// number of tracks, determine which albums the window covers; only the tracks of these albums are then sorted.
///
/// A value; unsaved changes are not counted.
struct AlbumWindow {
  /// The albums; nil represents tracks without an album.
  private let albums: [NSManagedObjectID?]
  /// The number of tracks of these albums that precede the window.
  private let offset: Int

  /// - Parameters:
  ///   - filter: The filter that tracks must match.
  ///   - isAscending: Whether the albums are in ascending order.
  ///   - window: The positions.
  ///   - now: The date from which days are counted back.
  ///   - context: The context to fetch in.
  init(
    _ filter: TrackFilter, isAscending: Bool, window: Range<Int>, now: Date,
    in context: NSManagedObjectContext
  ) throws {
    var order = AlbumOrder(filter, isAscending, now, context)
    // Without a filter nearly all albums have tracks, so a few albums are enough for a window at the beginning.
    let isNear = filter == TrackFilter() && window.upperBound <= 500
    var start = 0
    var (albums, offset): ([NSManagedObjectID?], Int) = ([], 0)
    while start < window.upperBound {
      let next = try order.next(isNear ? window.upperBound : nil)
      if next.isEmpty { break }
      for (album, count) in next where start < window.upperBound {
        if start + count > window.lowerBound {
          if albums.isEmpty { offset = window.lowerBound - start }
          albums.append(album)
        }
        start += count
      }
    }
    (self.albums, self.offset) = (albums, offset)
  }

  /// Restricts a request for the window to the tracks of these albums.
  func narrow(_ request: NSFetchRequest<Track>) {
    let ids = albums.compactMap(\.self)
    var parts = [NSPredicate(format: "album IN %@", argumentArray: [ids])]
    if ids.count < albums.count {
      parts.append(NSPredicate(format: "album == nil", argumentArray: []))
    }
    let own = NSCompoundPredicate(orPredicateWithSubpredicates: parts)
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [own] + [request.predicate].compactMap { $0 })
    request.fetchOffset = offset
  }
}

/// The albums in the order of their tracks, each with its number of tracks; nil represents the tracks without an album.
private struct AlbumOrder {
  typealias Entry = (album: NSManagedObjectID?, count: Int)

  private let predicate: NSPredicate?
  private let isAscending: Bool
  private let context: NSManagedObjectContext
  private var albumCount = 0
  private var isDone = false

  init(
    _ filter: TrackFilter, _ isAscending: Bool, _ now: Date, _ context: NSManagedObjectContext
  ) {
    predicate = filter.predicate(now: now)
    self.isAscending = isAscending
    self.context = context
  }

  /// Returns the entries of the next albums that have tracks, or an empty array at the end.
  ///
  /// - Parameter limit: The number of albums to examine, or nil for all.
  mutating func next(_ limit: Int?) throws -> [Entry] {
    var entries: [Entry] = []
    while entries.isEmpty, !isDone {
      // A missing value sorts before all others.
      if albumCount == 0, isAscending { entries += try withoutAlbum() }
      let ids = try albums(limit)
      albumCount += ids.count
      isDone = limit.map { ids.count < $0 } ?? true
      let own = limit.map { _ in NSPredicate(format: "album IN %@", argumentArray: [ids]) }
      let counts = try GroupedCounts(of: "Track", by: "album", where: both(own), in: context)
        .byObject()
      entries += ids.compactMap { id in counts[id].map { (id, $0) } }
      if isDone, !isAscending { entries += try withoutAlbum() }
    }
    return entries
  }

  private func albums(_ limit: Int?) throws -> [NSManagedObjectID] {
    let request = LibraryLists.idRequest(
      "Album", by: TrackOrder.albumKeys, isAscending: isAscending)
    request.fetchOffset = albumCount
    if let limit { request.fetchLimit = limit }
    return try context.fetch(request)
  }

  private func withoutAlbum() throws -> [Entry] {
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = both(NSPredicate(format: "album == nil", argumentArray: []))
    let count = try context.count(for: request)
    return count > 0 ? [(nil, count)] : []
  }

  private func both(_ own: NSPredicate?) -> NSPredicate? {
    let parts = [predicate, own].compactMap { $0 }
    return parts.count < 2
      ? parts.first : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }
}
