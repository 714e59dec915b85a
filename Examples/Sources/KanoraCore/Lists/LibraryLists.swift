public import CoreData
import Foundation
import StoreSharing

/// The lists of a library as values, read with a fixed number of statements whatever its size.
///
/// > Concurrency: Call on the context's queue. Numbers of tracks are those of saved ones.
public enum LibraryLists {
  // MARK: Tracks

  /// One window of the tracks that pass a filter.
  ///
  /// - Parameters:
  ///   - filter: Which tracks.
  ///   - order: What they are sorted by; no two tracks are equal.
  ///   - isAscending: Whether the first is the lowest.
  ///   - window: The positions.
  ///   - now: The instant from which days are counted back.
  ///   - context: Where to read.
  /// - Throws: What the fetch throws.
  public static func tracks(
    _ filter: TrackFilter = TrackFilter(), by order: TrackOrder = .album, isAscending: Bool = true,
    window: Range<Int>, now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    if window.isEmpty { return [] }
    let request = request(filter, by: order, isAscending: isAscending, now: now)
    request.fetchOffset = max(0, window.lowerBound)
    request.fetchLimit = window.count
    return try context.fetch(request).map(TrackRow.init)
  }

  /// How many tracks pass a filter.
  public static func trackCount(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> Int {
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = filter.predicate(now: now)
    return try context.count(for: request)
  }

  /// The ids of all tracks that pass a filter, in order.
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

  /// The tracks of ids, in their order; those that are gone are left out.
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

  /// The tracks that were played last, the latest first.
  public static func recentlyPlayed(
    limit: Int = 50, in context: NSManagedObjectContext
  ) throws -> [TrackRow] {
    try first(limit, .played, "lastPlayedAt != nil", in: context)
  }

  /// The tracks that were played most often.
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

  // MARK: Columns

  /// The genres of the tracks that pass a filter, by name, those without one last.
  public static func genres(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [CountedValue<String>] {
    let groups = try groups(filter, by: "genre", now, in: context)
    let counted = groups.rows.map {
      CountedValue(value: $0.key as? String, trackCount: $0.count)
    }
    return counted.sorted { sortKey($0.value) < sortKey($1.value) }
  }

  /// The tracks that pass a filter, grouped by a property.
  private static func groups(
    _ filter: TrackFilter, by key: String, _ now: Date, in context: NSManagedObjectContext
  ) throws -> GroupedCounts {
    try GroupedCounts(of: "Track", by: key, where: filter.predicate(now: now), in: context)
  }

  private static func sortKey(_ text: String?) -> (Int, String, String) {
    text.map { (0, SearchText.fold($0), $0) } ?? (1, "", "")
  }

  /// The years of the tracks that pass a filter, the latest first, those without one last.
  public static func years(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [CountedValue<Int>] {
    let groups = try groups(filter, by: "year", now, in: context)
    return groups.rows.map { CountedValue(value: $0.key as? Int, trackCount: $0.count) }
      .sorted { ($0.value ?? Int.min) > ($1.value ?? Int.min) }
  }

  /// The albums with tracks that pass a filter, by artist, year and title.
  public static func albums(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [AlbumRow] {
    let groups = try groups(filter, by: "album", now, in: context)
    return try albums(groups.byObject(), in: context).map { album, count in
      AlbumRow(
        id: album.id, title: album.title, artist: album.artist?.name, artistID: album.artist?.id,
        year: album.year.map(Int.init), trackCount: count, duration: album.totalDuration,
        isCompilation: album.isCompilation, artworkPath: album.artworkPath)
    }
  }

  /// The album artists of the tracks that pass a filter, by sort name.
  public static func artists(
    _ filter: TrackFilter = TrackFilter(), now: Date = Date(), in context: NSManagedObjectContext
  ) throws -> [ArtistRow] {
    let groups = try groups(filter, by: "album", now, in: context)
    var order: [Artist] = []
    var counts: [Artist: (albums: Int, tracks: Int)] = [:]
    for (album, count) in try albums(groups.byObject(), in: context) {
      guard let artist = album.artist else { continue }
      if counts[artist] == nil { order.append(artist) }
      let known = counts[artist] ?? (0, 0)
      counts[artist] = (known.albums + 1, known.tracks + count)
    }
    return order.map { artist in
      let count = counts[artist] ?? (0, 0)
      return ArtistRow(
        id: artist.id, name: artist.name, sortName: artist.sortName, albumCount: count.albums,
        trackCount: count.tracks)
    }
  }

  /// Some albums by artist, year and title, with their artists.
  private static func albums(
    _ counts: [NSManagedObjectID: Int], in context: NSManagedObjectContext
  ) throws -> [(Album, Int)] {
    let request = NSFetchRequest<Album>(entityName: "Album")
    request.sortDescriptors = ["artist.sortKey", "artist.id", "year", "sortKey", "id"].map {
      NSSortDescriptor(key: $0, ascending: true)
    }
    request.relationshipKeyPathsForPrefetching = ["artist"]
    // Few albums are fetched by their ids, many by reading all.
    if counts.count <= 200 {
      request.predicate = NSPredicate(
        format: "SELF IN %@", argumentArray: [Array(counts.keys)])
    }
    return try context.fetch(request).compactMap { album in
      counts[album.objectID].map { (album, $0) }
    }
  }
}
