import CoreData
import Foundation
import StoreSharing

/// The albums that have the tracks of a window in the order of albums.
///
/// To skip most of a long list, the store would have to sort all tracks of it, with all their values. The albums in order, each with its number of
/// tracks, tell which albums the window has; only their tracks are sorted then.
///
/// A value; what is not saved does not count.
struct AlbumWindow {
  /// The albums; nil stands for tracks without album.
  private let albums: [NSManagedObjectID?]
  /// How many tracks of these albums are in front of the window.
  private let offset: Int

  /// - Parameters:
  ///   - filter: Which tracks.
  ///   - isAscending: Whether the first album is the lowest.
  ///   - window: The positions.
  ///   - now: The instant from which days are counted back.
  ///   - context: Where to read.
  init(
    _ filter: TrackFilter, isAscending: Bool, window: Range<Int>, now: Date,
    in context: NSManagedObjectContext
  ) throws {
    let groups = try GroupedCounts(
      of: "Track", by: "album", where: filter.predicate(now: now), in: context)
    let counts = groups.byObject()
    let withoutAlbum = groups.rows.first { $0.key == nil }?.count ?? 0
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Album")
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = TrackOrder.albumKeys.map {
      NSSortDescriptor(key: $0, ascending: isAscending)
    }
    var order: [(album: NSManagedObjectID?, count: Int)] = try context.fetch(request)
      .compactMap { id in counts[id].map { (id, $0) } }
    // A missing value is lower than any other.
    order.insert((nil, withoutAlbum), at: isAscending ? 0 : order.count)
    var start = 0
    var (albums, offset): ([NSManagedObjectID?], Int) = ([], 0)
    for (album, count) in order {
      if start >= window.upperBound { break }
      if start + count > window.lowerBound {
        if albums.isEmpty { offset = window.lowerBound - start }
        albums.append(album)
      }
      start += count
    }
    (self.albums, self.offset) = (albums, offset)
  }

  /// Makes a request for the window one for tracks of these albums only.
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
