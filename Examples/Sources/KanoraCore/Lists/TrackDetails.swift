public import CoreData
import Foundation

/// All that a page about one track shows, and what a form edits.
public struct TrackDetails: Sendable, Hashable, Identifiable {
  /// A playlist that has the track.
  public struct Place: Sendable, Hashable {
    /// The playlist.
    public let id: UUID
    /// Its name.
    public let name: String
  }

  /// What lists show.
  public let row: TrackRow
  /// The values that can be edited; empty for none.
  public let values: [TrackField: String]
  /// The names of the fields that the user has edited.
  public let editedFields: Set<String>
  /// The codec.
  public let codec: String?
  /// Kilobits a second.
  public let bitrate: Int?
  /// Samples a second.
  public let sampleRate: Int?
  /// The number of channels.
  public let channelCount: Int?
  /// The file's size in bytes.
  public let byteCount: Int64
  /// The playlists that have the track, by name; smart ones are left out.
  public let playlists: [Place]

  /// The track's id.
  public var id: UUID { row.id }

  init(_ track: Track) {
    row = TrackRow(track)
    values = Dictionary(uniqueKeysWithValues: TrackField.allCases.map { ($0, $0.value(of: track)) })
    editedFields = track.editedFields
    codec = track.codec
    bitrate = track.bitrate.map(Int.init)
    sampleRate = track.sampleRate.map(Int.init)
    channelCount = track.channels.map(Int.init)
    byteCount = track.fileSize
    playlists = Set(track.playlistItems.compactMap(\.playlist))
      .map { Place(id: $0.id, name: $0.name) }
      .sorted {
        (SearchText.fold($0.name), $0.id.uuidString) < (SearchText.fold($1.name), $1.id.uuidString)
      }
  }
}

extension LibraryLists {
  /// The tracks of ids with all details, in the order of the ids; those that are gone are left out.
  ///
  /// - Throws: What the fetch throws.
  public static func details(
    _ ids: [UUID], in context: NSManagedObjectContext
  ) throws -> [TrackDetails] {
    var found: [UUID: TrackDetails] = [:]
    for start in stride(from: 0, to: ids.count, by: 500) {
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(
        format: "id IN %@", argumentArray: [Array(ids[start..<min(start + 500, ids.count)])])
      request.relationshipKeyPathsForPrefetching = [
        "album", "album.artist", "playlistItems", "playlistItems.playlist",
      ]
      for track in try context.fetch(request) { found[track.id] = TrackDetails(track) }
    }
    return ids.compactMap { found[$0] }
  }
}
