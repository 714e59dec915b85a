public import CoreData
import Foundation
public import OpenPersistenceKit
import StoreSharing

/// Finds problems in a library that the model itself does not rule out.
///
/// > Concurrency: Call on the context's queue. Checks the saved state; changes nothing.
public struct LibraryCheck: Sendable {
  private let fileExists: (@Sendable (String) -> Bool)?

  /// Creates a check.
  ///
  /// - Parameter fileExists: Returns whether a file exists at a path; nil uses the result of the last scan.
  public init(fileExists: (@Sendable (String) -> Bool)? = nil) { self.fileExists = fileExists }

  /// Returns the violations of the model in the store itself.
  ///
  /// - Throws: `CocoaError` if the store cannot be read.
  public func storeFindings(in store: KanoraStore) throws -> [IntegrityFinding] {
    try IntegrityCheck().findings(in: store.container.persistentStoreCoordinator)
  }

  /// Returns the problems of the library.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of problems to look for.
  ///   - context: The context to fetch in.
  /// - Throws: Any error a fetch throws.
  public func findings(
    _ kinds: Set<LibraryFinding.Kind> = Set(LibraryFinding.Kind.allCases),
    in context: NSManagedObjectContext
  ) throws -> [LibraryFinding] {
    try LibraryFinding.Kind.allCases.filter(kinds.contains).flatMap { kind in
      try findings(kind, in: context)
    }
  }

  /// Returns the problems of the library as sentences.
  public static func issues(in context: NSManagedObjectContext) throws -> [String] {
    try LibraryCheck().findings(in: context).map(\.description)
  }

  private func findings(
    _ kind: LibraryFinding.Kind, in context: NSManagedObjectContext
  ) throws -> [LibraryFinding] {
    switch kind {
    case .trackWithoutAlbum:
      try orphans("Track", "album == nil", kind, "The track does not belong to an album.", context)
    case .albumWithoutArtist:
      try orphans(
        "Album", "artist == nil", kind, "The album does not belong to an artist.", context)
    case .artistWithoutLibrary:
      try orphans(
        "Artist", "library == nil", kind, "The artist does not belong to a library.", context)
    case .doubledPath:
      try doubled("filePath", kind, "Another track has the same file.", context)
    case .duplicateAudio:
      try doubled("fingerprint", kind, "Another track has the same audio.", context)
    case .positions: try positions(context)
    case .missingFile: try missingFiles(context)
    case .wrongTotals: try albums(context).filter { !$0.isEmpty }.compactMap(\.wrongTotals)
    case .emptyAlbum:
      try albums(context).filter(\.isEmpty).map {
        LibraryFinding(
          kind: kind, id: $0.album.id, title: $0.album.title, message: "The album has no tracks.")
      }
    case .emptyArtist: try emptyArtists(context)
    }
  }

  // MARK: One kind each

  private func finding(
    _ kind: LibraryFinding.Kind, _ object: NSManagedObject, _ message: String
  ) -> LibraryFinding? {
    guard let id = object.value(forKey: "id") as? UUID else { return nil }
    let key = object is Artist || object is Playlist ? "name" : "title"
    let title = object.value(forKey: key) as? String ?? ""
    return LibraryFinding(kind: kind, id: id, title: title, message: message)
  }

  private func orphans(
    _ entity: String, _ format: String, _ kind: LibraryFinding.Kind, _ message: String,
    _ context: NSManagedObjectContext
  ) throws -> [LibraryFinding] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: format, argumentArray: [])
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    return try context.fetch(request).compactMap { finding(kind, $0, message) }
  }

  private func doubled(
    _ key: String, _ kind: LibraryFinding.Kind, _ message: String,
    _ context: NSManagedObjectContext
  ) throws -> [LibraryFinding] {
    try DuplicateFinder.groups(by: key, in: context).flatMap { tracks in
      tracks.dropFirst().compactMap { finding(kind, $0, message) }
    }
  }

  private func positions(_ context: NSManagedObjectContext) throws -> [LibraryFinding] {
    let request = NSFetchRequest<PlaylistItem>(entityName: "PlaylistItem")
    request.relationshipKeyPathsForPrefetching = ["playlist"]
    var items: [Playlist: [PlaylistItem]] = [:]
    for item in try context.fetch(request) {
      if let playlist = item.playlist { items[playlist, default: []].append(item) }
    }
    return items.filter { _, items in
      items.map(\.position).sorted() != (0..<Int32(items.count)).map { $0 }
        || items.contains { $0.track == nil }
    }.keys.sorted { $0.id.uuidString < $1.id.uuidString }.compactMap {
      finding(
        .positions, $0,
        "The items of the playlist are not numbered consecutively, or an item has no track.")
    }
  }

  private func missingFiles(_ context: NSManagedObjectContext) throws -> [LibraryFinding] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Track")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["id", "title", "filePath"]
    request.sortDescriptors = [NSSortDescriptor(key: "filePath", ascending: true)]
    if fileExists == nil { request.predicate = NSPredicate(format: "missingSince != nil") }
    return try context.fetch(request).compactMap { row in
      guard let id = row["id"] as? UUID, let path = row["filePath"] as? String else { return nil }
      if let fileExists, fileExists(path) { return nil }
      return LibraryFinding(
        kind: .missingFile, id: id, title: row["title"] as? String ?? "",
        message: "The file is missing: \(path)")
    }
  }

  /// An album with the totals of its tracks.
  private struct SummedAlbum {
    let album: Album
    let count: Int
    let seconds: Double

    var isEmpty: Bool { count == 0 }

    var wrongTotals: LibraryFinding? {
      guard Int(album.trackCount) != count || abs(album.totalDuration - seconds) > 0.001 else {
        return nil
      }
      return LibraryFinding(
        kind: .wrongTotals, id: album.id, title: album.title,
        message: Int(album.trackCount) != count
          ? "The album's track count is \(count), but the stored value is \(album.trackCount)."
          : "The album's duration is \(seconds) seconds, but the stored value is \(album.totalDuration)."
      )
    }
  }

  private func albums(_ context: NSManagedObjectContext) throws -> [SummedAlbum] {
    let groups = try GroupedCounts(
      of: "Track", by: "album", summing: ["duration"], in: context)
    var sums: [NSManagedObjectID: GroupedCounts.Row] = [:]
    for row in groups.rows { if let id = row.key as? NSManagedObjectID { sums[id] = row } }
    let request = NSFetchRequest<Album>(entityName: "Album")
    request.sortDescriptors = [NSSortDescriptor(key: "sortKey", ascending: true)]
    return try context.fetch(request).map { album in
      let row = sums[album.objectID]
      return SummedAlbum(
        album: album, count: row?.count ?? 0, seconds: row?.sums["duration"] ?? 0)
    }
  }

  private func emptyArtists(_ context: NSManagedObjectContext) throws -> [LibraryFinding] {
    let counts = try GroupedCounts(
      of: "Album", by: "artist", in: context
    ).byObject()
    let request = NSFetchRequest<Artist>(entityName: "Artist")
    request.sortDescriptors = [NSSortDescriptor(key: "sortKey", ascending: true)]
    return try context.fetch(request).filter { counts[$0.objectID] == nil }.compactMap {
      finding(.emptyArtist, $0, "The artist has no albums.")
    }
  }
}
