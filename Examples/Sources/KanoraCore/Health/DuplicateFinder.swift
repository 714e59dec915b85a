public import CoreData
import Foundation
import StoreSharing

/// Finds duplicate tracks, and gaps in the track numbers of albums.
///
/// > Concurrency: Call on the context's queue.
public enum DuplicateFinder {
  /// The criterion by which tracks are duplicates of one another.
  public enum Criterion: String, Sendable, CaseIterable {
    /// The same audio.
    case audio
    /// The same title, artist and album, ignoring case and accents.
    case tags
  }

  /// Returns groups of tracks that are duplicates of one another, with the best track of each group first.
  ///
  /// - Throws: Any error a fetch throws.
  public static func duplicates(
    by criterion: Criterion, in context: NSManagedObjectContext
  ) throws -> [[TrackRow]] {
    let groups =
      switch criterion {
      case .audio: try groups(by: "fingerprint", in: context)
      case .tags: try groupsByTags(in: context)
      }
    return groups.map { $0.map(TrackRow.init) }
  }

  /// The missing track numbers of one disc of an album.
  public struct Gap: Sendable, Hashable, Codable {
    /// The album.
    public let albumID: UUID
    /// The album's title.
    public let album: String
    /// The disc number.
    public let discNumber: Int
    /// The missing numbers, from 1 up to the highest existing number.
    public let missing: [Int]
  }

  /// Returns the albums with missing track numbers.
  ///
  /// - Throws: Any error a fetch throws.
  public static func gaps(in context: NSManagedObjectContext) throws -> [Gap] {
    let request = NSFetchRequest<Track>(entityName: "Track")
    request.predicate = NSPredicate(
      format: "album != nil AND trackNumber != nil AND trackNumber > 0", argumentArray: [])
    request.relationshipKeyPathsForPrefetching = ["album"]
    var numbers: [Album: [Int: Set<Int>]] = [:]
    for track in try context.fetch(request) {
      guard let album = track.album, let number = track.trackNumber else { continue }
      numbers[album, default: [:]][Int(track.discNumber), default: []].insert(Int(number))
    }
    let gaps = numbers.flatMap { album, discs in
      discs.compactMap { disc, present -> Gap? in
        let missing = (1...(present.max() ?? 1)).filter { !present.contains($0) }
        if missing.isEmpty { return nil }
        return Gap(albumID: album.id, album: album.title, discNumber: disc, missing: missing)
      }
    }
    return gaps.sorted {
      ($0.album, $0.albumID.uuidString, $0.discNumber)
        < ($1.album, $1.albumID.uuidString, $1.discNumber)
    }
  }

  /// Returns the groups of tracks that share a value, with the best track of each group first.
  static func groups(by key: String, in context: NSManagedObjectContext) throws -> [[Track]] {
    let counted = try GroupedCounts(
      of: "Track", by: key, where: NSPredicate(format: "%K != nil", argumentArray: [key]),
      atLeast: 2, in: context)
    let values = counted.rows.compactMap { $0.key as? String }.sorted()
    var tracks: [String: [Track]] = [:]
    for start in stride(from: 0, to: values.count, by: 500) {
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(
        format: "%K IN %@",
        argumentArray: [key, Array(values[start..<min(start + 500, values.count)])])
      for track in try context.fetch(request) {
        if let value = track.value(forKey: key) as? String {
          tracks[value, default: []].append(track)
        }
      }
    }
    return values.compactMap { tracks[$0].map(bestFirst) }
  }

  private static func groupsByTags(in context: NSManagedObjectContext) throws -> [[Track]] {
    let titles = try groups(by: "titleKey", in: context)
    return titles.flatMap { tracks in
      let groups = Dictionary(grouping: tracks) {
        "\(SearchText.fold($0.displayArtist))\u{0}\($0.album?.titleKey ?? "")"
      }
      return groups.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
        .map { bestFirst($0.value) }
    }
  }

  /// Sorts tracks with the best one first: its file exists, it has a higher bit rate, it was played more often, it is older.
  private static func bestFirst(_ tracks: [Track]) -> [Track] {
    tracks.sorted {
      (
        $0.missingSince == nil ? 0 : 1, $1.bitrate ?? 0, $1.playCount,
        $0.createdAt.timeIntervalSinceReferenceDate, $0.id.uuidString
      ) < (
        $1.missingSince == nil ? 0 : 1, $0.bitrate ?? 0, $0.playCount,
        $1.createdAt.timeIntervalSinceReferenceDate, $1.id.uuidString
      )
    }
  }
}
