public import CoreData
import Foundation
import StoreSharing

extension LibraryLists {
  // MARK: Values

  /// Returns the genres of the tracks that match a filter, sorted by name; the entry for tracks without a genre is last.
  public static func genres(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [CountedValue<String>] {
    let groups = try groups(filter, by: ["genre"], now, in: context)
    let counted = groups.rows.map {
      CountedValue(value: $0.key as? String, trackCount: $0.count)
    }
    return counted.sorted { sortKey($0.value) < sortKey($1.value) }
  }

  /// Groups the tracks that match a filter by properties.
  private static func groups(
    _ filter: TrackFilter, by keys: [String], _ now: Date, in context: NSManagedObjectContext
  ) throws -> GroupedCounts {
    try GroupedCounts(of: "Track", by: keys, where: filter.predicate(now: now), in: context)
  }

  private static func sortKey(_ text: String?) -> (Int, String, String) {
    text.map { (0, SearchText.fold($0), $0) } ?? (1, "", "")
  }

  /// Returns the years of the tracks that match a filter, latest first; the entry for tracks without a year is last.
  public static func years(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [CountedValue<Int>] {
    let groups = try groups(filter, by: ["year"], now, in: context)
    return groups.rows.map { CountedValue(value: $0.key as? Int, trackCount: $0.count) }
      .sorted { ($0.value ?? Int.min) > ($1.value ?? Int.min) }
  }

  // MARK: Albums and artists

  /// Returns the albums with tracks that match a filter, sorted by artist, year and title.
  ///
  /// - Parameters:
  ///   - filter: The filter that tracks must match.
  ///   - window: The positions, or nil for all.
  ///   - now: The date from which days are counted back.
  ///   - context: The context to fetch in.
  /// - Throws: Any error a fetch throws.
  public static func albums(
    _ filter: TrackFilter = TrackFilter(), window: Range<Int>? = nil, now: Date = Date(),
    in context: NSManagedObjectContext
  ) throws -> [AlbumRow] {
    let order = ["artist.sortKey", "artist.id", "year", "sortKey", "id"]
    var counts: [NSManagedObjectID: Int] = [:]
    let groups = try groups(
      filter, by: ["album"], of: "Album", order, window: window, now, in: context)
    for row in groups { if let id = row.key as? NSManagedObjectID { counts[id] = row.count } }
    let albums: [Album] = try objects(
      Set(counts.keys), by: order, window: window, prefetching: ["artist"], in: context)
    return albums.map { album in
      AlbumRow(
        id: album.id, title: album.title, artist: album.artist?.name, artistID: album.artist?.id,
        year: album.year.map(Int.init), trackCount: counts[album.objectID] ?? 0,
        duration: album.totalDuration, isCompilation: album.isCompilation,
        artworkPath: album.artworkPath)
    }
  }

  /// Returns the number of albums with tracks that match a filter.
  ///
  /// - Throws: Any error the fetch throws.
  public static func albumCount(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    try groups(filter, by: ["album"], now, in: context).rows.count { $0.key != nil }
  }

  /// Returns the album artists of the tracks that match a filter, sorted by sort name.
  ///
  /// - Parameters:
  ///   - filter: The filter that tracks must match.
  ///   - window: The positions, or nil for all.
  ///   - now: The date from which days are counted back.
  ///   - context: The context to fetch in.
  /// - Throws: Any error a fetch throws.
  public static func artists(
    _ filter: TrackFilter = TrackFilter(), window: Range<Int>? = nil, now: Date = Date(),
    in context: NSManagedObjectContext
  ) throws -> [ArtistRow] {
    let order = ["sortKey", "id"]
    var counts: [NSManagedObjectID: (albums: Int, tracks: Int)] = [:]
    let groups = try groups(
      filter, by: ["album.artist", "album"], of: "Artist", order, window: window, now, in: context)
    for row in groups {
      guard let id = row.key as? NSManagedObjectID else { continue }
      let known = counts[id] ?? (0, 0)
      counts[id] = (known.albums + 1, known.tracks + row.count)
    }
    let artists: [Artist] = try objects(
      Set(counts.keys), by: order, window: window, prefetching: [], in: context)
    return artists.map { artist in
      let count = counts[artist.objectID] ?? (0, 0)
      return ArtistRow(
        id: artist.id, name: artist.name, sortName: artist.sortName, albumCount: count.albums,
        trackCount: count.tracks)
    }
  }

  /// Returns the number of album artists with tracks that match a filter.
  ///
  /// - Throws: Any error the fetch throws.
  public static func artistCount(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    try groups(filter, by: ["album.artist"], now, in: context).rows.count { $0.key != nil }
  }

  /// Groups the tracks that match a filter by the object that the first property refers to.
  ///
  /// Without a filter nearly all objects have tracks. For the first window, only the first objects are therefore counted, and more
  /// objects only if some of these have no tracks.
  private static func groups(
    _ filter: TrackFilter, by keys: [String], of entity: String, _ order: [String],
    window: Range<Int>?, _ now: Date, in context: NSManagedObjectContext
  ) throws -> [GroupedCounts.Row] {
    guard let window, window.lowerBound <= 0, filter == TrackFilter() else {
      return try groups(filter, by: keys, now, in: context).rows
    }
    var rows: [GroupedCounts.Row] = []
    var (found, start): (Set<NSManagedObjectID>, Int) = ([], 0)
    while found.count < window.upperBound {
      let request = idRequest(entity, by: order)
      request.fetchOffset = start
      request.fetchLimit = max(window.upperBound, fewObjects / 4)
      let ids = try context.fetch(request)
      if ids.isEmpty { break }
      // If no value is nil, SQLite starts with the artists instead of all tracks.
      let own = NSPredicate(
        format: "%K != nil AND %K IN %@", argumentArray: [keys[0], keys[0], ids])
      let piece = try GroupedCounts(of: "Track", by: keys, where: own, in: context)
      rows += piece.rows
      found.formUnion(piece.rows.compactMap { $0.key as? NSManagedObjectID })
      start += ids.count
    }
    return rows
  }

  /// Returns a sorted request for the ids of all objects of an entity.
  static func idRequest(
    _ entity: String, by keys: [String], isAscending: Bool = true
  ) -> NSFetchRequest<NSManagedObjectID> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: isAscending) }
    return request
  }

  /// The largest number of objects that are fetched by id; for larger numbers, all objects are read.
  private static let fewObjects = 200

  /// Returns the objects with the given ids that are in a window of their sorted list.
  private static func objects<Object: NSManagedObject>(
    _ ids: Set<NSManagedObjectID>, by keys: [String], window: Range<Int>?,
    prefetching relationships: [String], in context: NSManagedObjectContext
  ) throws -> [Object] {
    if ids.isEmpty || window?.isEmpty == true { return [] }
    let name = "\(Object.self)"
    let request = NSFetchRequest<Object>(entityName: name)
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    request.relationshipKeyPathsForPrefetching = relationships
    if ids.count <= fewObjects {
      request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [Array(ids)])
      request.fetchOffset = window?.lowerBound ?? 0
      request.fetchLimit = window?.count ?? 0
      return try context.fetch(request)
    }
    guard let window else { return try context.fetch(request).filter { ids.contains($0.objectID) } }
    let all = try context.fetch(idRequest(name, by: keys)).filter(ids.contains)
    let shown = Array(all[window.clamped(to: 0..<all.count)])
    request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [shown])
    return try context.fetch(request)
  }
}
