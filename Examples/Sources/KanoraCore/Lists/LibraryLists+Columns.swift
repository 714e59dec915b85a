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

  /// How many album artists have tracks that pass a filter.
  ///
  /// - Throws: What the fetch throws.
  public static func artistCount(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    try groups(filter, by: ["album.artist"], now, in: context).rows.count { $0.key != nil }
  }

  /// The tracks that pass a filter, grouped by the object that the first property leads to.
  ///
  /// Without a filter nearly all objects have tracks, so that for the first window of them the first ones are counted, and more only where
  /// some have none.
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
      // Where no value is missing, SQLite begins with the artists instead of all tracks.
      let own = NSPredicate(
        format: "%K != nil AND %K IN %@", argumentArray: [keys[0], keys[0], ids])
      let piece = try GroupedCounts(of: "Track", by: keys, where: own, in: context)
      rows += piece.rows
      found.formUnion(piece.rows.compactMap { $0.key as? NSManagedObjectID })
      start += ids.count
    }
    return rows
  }

  /// A request for the ids of all objects of an entity, in an order.
  static func idRequest(
    _ entity: String, by keys: [String], isAscending: Bool = true
  ) -> NSFetchRequest<NSManagedObjectID> {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
    request.resultType = .managedObjectIDResultType
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: isAscending) }
    return request
  }

  /// How many objects are fetched by their ids; more are fetched by reading all.
  private static let fewObjects = 200

  /// Those of some objects that are in a window of them, in an order.
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
