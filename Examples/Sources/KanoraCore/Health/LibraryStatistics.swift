public import CoreData
import Foundation
import StoreSharing

/// How much music there is; read with a fixed number of grouped statements.
public struct LibraryStatistics: Sendable, Hashable, Codable {
  /// A part of the tracks.
  public struct Part: Sendable, Hashable, Codable {
    /// What the tracks have in common; nil for those without a value.
    public let name: String?
    /// How many tracks.
    public let trackCount: Int
    /// How long they play, in seconds.
    public let seconds: Double
    /// How large their files are.
    public let bytes: Int64
  }

  /// How many tracks.
  public let trackCount: Int
  /// How many albums.
  public let albumCount: Int
  /// How many artists.
  public let artistCount: Int
  /// How many playlists.
  public let playlistCount: Int
  /// How many times a track was played.
  public let playCount: Int
  /// How long all tracks play, in seconds.
  public let seconds: Double
  /// How large all files are.
  public let bytes: Int64
  /// How many tracks have a missing file.
  public let missingCount: Int
  /// The tracks by kind of file, the most frequent first.
  public let formats: [Part]
  /// The tracks by year, the first year first.
  public let years: [Part]
  /// The tracks by genre, the most frequent first.
  public let genres: [Part]
  /// The tracks that were played most often.
  public let topPlayed: [TrackRow]

  /// How long all tracks play, in hours.
  public var hours: Double { seconds / 3_600 }
  /// How large all files are, in gigabytes of 10⁹ bytes.
  public var gigabytes: Double { Double(bytes) / 1e9 }

  /// Reads the statistics of what is saved; call on the context's queue.
  ///
  /// - Throws: What a fetch throws.
  public init(in context: NSManagedObjectContext) throws {
    func count(_ entity: String, _ format: String? = nil) throws -> Int {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = format.map { NSPredicate(format: $0, argumentArray: []) }
      return try context.count(for: request)
    }
    let all = try GroupedCounts(
      of: "Track", by: nil, summing: ["duration", "fileSize", "playCount"], in: context)
    trackCount = all.rows.first?.count ?? 0
    seconds = all.rows.first?.sums["duration"] ?? 0
    bytes = Int64(all.rows.first?.sums["fileSize"] ?? 0)
    playCount = Int(all.rows.first?.sums["playCount"] ?? 0)
    albumCount = try count("Album")
    artistCount = try count("Artist")
    playlistCount = try count("Playlist")
    missingCount = try count("Track", "missingSince != nil")
    formats = Self.byCount(try Self.parts("format", in: context))
    genres = Self.byCount(try Self.parts("genre", in: context))
    years = try Self.parts("year", in: context).sorted {
      (Int($0.name ?? "") ?? Int.max) < (Int($1.name ?? "") ?? Int.max)
    }
    topPlayed = try LibraryLists.mostPlayed(limit: 10, in: context)
  }

  private static func parts(
    _ key: String, in context: NSManagedObjectContext
  ) throws -> [Part] {
    let groups = try GroupedCounts(
      of: "Track", by: key, summing: ["duration", "fileSize"], in: context)
    return groups.rows.map { row in
      Part(
        name: row.key.map { "\($0)" }, trackCount: row.count, seconds: row.sums["duration"] ?? 0,
        bytes: Int64(row.sums["fileSize"] ?? 0))
    }
  }

  private static func byCount(_ parts: [Part]) -> [Part] {
    parts.sorted {
      (-$0.trackCount, $0.name ?? "\u{10FFFF}") < (-$1.trackCount, $1.name ?? "\u{10FFFF}")
    }
  }
}
