public import CoreData
import Foundation
import StoreSharing

extension LibraryLists {
  // MARK: Values

  /// The genres of the tracks that pass a filter, by name, those without one last.
  public static func genres(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [CountedValue<String>] {
    let groups = try groups(filter, by: ["genre"], now, in: context)
    let counted = groups.rows.map {
      CountedValue(value: $0.key as? String, trackCount: $0.count)
    }
    return counted.sorted { sortKey($0.value) < sortKey($1.value) }
  }

  /// The tracks that pass a filter, grouped by properties.
  private static func groups(
    _ filter: TrackFilter, by keys: [String], _ now: Date, in context: NSManagedObjectContext
  ) throws -> GroupedCounts {
    try GroupedCounts(of: "Track", by: keys, where: filter.predicate(now: now), in: context)
  }

  private static func sortKey(_ text: String?) -> (Int, String, String) {
    text.map { (0, SearchText.fold($0), $0) } ?? (1, "", "")
  }

  /// The years of the tracks that pass a filter, the latest first, those without one last.
  public static func years(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [CountedValue<Int>] {
    let groups = try groups(filter, by: ["year"], now, in: context)
    return groups.rows.map { CountedValue(value: $0.key as? Int, trackCount: $0.count) }
      .sorted { ($0.value ?? Int.min) > ($1.value ?? Int.min) }
  }

  // MARK: Albums and artists

  /// The albums with tracks that pass a filter, by artist, year and title.
  ///
  /// - Parameters:
  ///   - filter: Which tracks.
  ///   - window: The positions; nil for all.
  ///   - now: The instant from which days are counted back.
  ///   - context: Where to read.
  /// - Throws: What a fetch throws.
  public static func albums(
    _ filter: TrackFilter = TrackFilter(), window: Range<Int>? = nil, now: Date = Date(),
    in context: NSManagedObjectContext
  ) throws -> [AlbumRow] {
    let counts = try groups(filter, by: ["album"], now, in: context).byObject()
    let albums: [Album] = try objects(
      Set(counts.keys), by: ["artist.sortKey", "artist.id", "year", "sortKey", "id"],
      window: window, prefetching: ["artist"], in: context)
    return albums.map { album in
      AlbumRow(
        id: album.id, title: album.title, artist: album.artist?.name, artistID: album.artist?.id,
        year: album.year.map(Int.init), trackCount: counts[album.objectID] ?? 0,
        duration: album.totalDuration, isCompilation: album.isCompilation,
        artworkPath: album.artworkPath)
    }
  }

  /// How many albums have tracks that pass a filter.
  ///
  /// - Throws: What the fetch throws.
  public static func albumCount(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    try groups(filter, by: ["album"], now, in: context).rows.count { $0.key != nil }
  }

  /// The album artists of the tracks that pass a filter, by sort name.
  ///
  /// - Parameters:
  ///   - filter: Which tracks.
  ///   - window: The positions; nil for all.
  ///   - now: The instant from which days are counted back.
  ///   - context: Where to read.
  /// - Throws: What a fetch throws.
  public static func artists(
    _ filter: TrackFilter = TrackFilter(), window: Range<Int>? = nil, now: Date = Date(),
    in context: NSManagedObjectContext
  ) throws -> [ArtistRow] {
    var counts: [NSManagedObjectID: (albums: Int, tracks: Int)] = [:]
    for row in try groups(filter, by: ["album.artist", "album"], now, in: context).rows {
      guard let id = row.key as? NSManagedObjectID else { continue }
      let known = counts[id] ?? (0, 0)
      counts[id] = (known.albums + 1, known.tracks + row.count)
    }
    let artists: [Artist] = try objects(
      Set(counts.keys), by: ["sortKey", "id"], window: window, prefetching: [], in: context)
    return artists.map { artist in
      let count = counts[artist.objectID] ?? (0, 0)
      return ArtistRow(
        id: artist.id, name: artist.name, sortName: artist.sortName, albumCount: count.albums,
        trackCount: count.tracks)
    }
  }

  /// How many album artists have tracks that pass a filter.
  ///
  /// - Throws: What the fetch throws.
  public static func artistCount(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    try groups(filter, by: ["album.artist"], now, in: context).rows.count { $0.key != nil }
  }

  /// How many objects are fetched by their ids; more are fetched by reading all.
  private static let fewObjects = 200

  /// Those of some objects that are in a window of them, in an order.
  private static func objects<Object: NSManagedObject>(
    _ ids: Set<NSManagedObjectID>, by keys: [String], window: Range<Int>?,
    prefetching relationships: [String], in context: NSManagedObjectContext
  ) throws -> [Object] {
    let (name, order) = ("\(Object.self)", keys.map { NSSortDescriptor(key: $0, ascending: true) })
    var shown = ids
    if let window, window.lowerBound > 0 || window.upperBound < ids.count {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: name)
      request.resultType = .managedObjectIDResultType
      request.sortDescriptors = order
      let all = try context.fetch(request).filter(ids.contains)
      shown = Set(all[window.clamped(to: 0..<all.count)])
    }
    if shown.isEmpty { return [] }
    let request = NSFetchRequest<Object>(entityName: name)
    request.sortDescriptors = order
    request.relationshipKeyPathsForPrefetching = relationships
    if shown.count <= fewObjects {
      request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [Array(shown)])
    }
    return try context.fetch(request).filter { shown.contains($0.objectID) }
  }
}
