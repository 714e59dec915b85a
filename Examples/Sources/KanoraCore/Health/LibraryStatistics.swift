public import CoreData
import Foundation
import StoreSharing

/// The size of a library, read with a fixed number of grouped statements.
public struct LibraryStatistics: Sendable, Hashable, Codable {
  /// A subset of the tracks.
  public struct Part: Sendable, Hashable, Codable {
    /// The value that the tracks share, or nil for tracks without one.
    public let name: String?
    /// The number of tracks.
    public let trackCount: Int
    /// The total duration in seconds.
    public let seconds: Double
    /// The total size of the files in bytes.
    public let bytes: Int64
  }

  /// The number of tracks.
  public let trackCount: Int
  /// The number of albums.
  public let albumCount: Int
  /// The number of artists.
  public let artistCount: Int
  /// The number of playlists.
  public let playlistCount: Int
  /// The total number of plays.
  public let playCount: Int
  /// The total duration of all tracks, in seconds.
  public let seconds: Double
  /// The total size of all files in bytes.
  public let bytes: Int64
  /// The number of tracks with a missing file.
  public let missingCount: Int
  /// The tracks by file format, most frequent first.
  public let formats: [Part]
  /// The tracks by year, earliest first.
  public let years: [Part]
  /// The tracks by genre, most frequent first.
  public let genres: [Part]
  /// The tracks that were played most often.
  public let topPlayed: [TrackRow]

  /// The total duration of all tracks, in hours.
  public var hours: Double { seconds / 3_600 }
  /// The total size of all files, in gigabytes of 10⁹ bytes.
  public var gigabytes: Double { Double(bytes) / 1e9 }

  /// Reads the statistics of the saved objects. Call on the context's queue.
  ///
  /// - Throws: Any error a fetch throws.
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
    bytes = Self.whole(all.rows.first?.sums["fileSize"])
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
        bytes: whole(row.sums["fileSize"]))
    }
  }

  /// Returns a sum as an integer, which is at most the largest one.
  private static func whole(_ sum: Double?) -> Int64 {
    Int64(exactly: (sum ?? 0).rounded()) ?? Int64.max
  }

  private static func byCount(_ parts: [Part]) -> [Part] {
    parts.sorted {
      (-$0.trackCount, $0.name ?? "\u{10FFFF}") < (-$1.trackCount, $1.name ?? "\u{10FFFF}")
    }
  }
}
