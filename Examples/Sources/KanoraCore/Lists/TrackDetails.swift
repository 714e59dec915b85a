public import CoreData
import Foundation

/// The values of a track on its page and in its edit form.
public struct TrackDetails: Sendable, Hashable, Identifiable {
  /// A playlist that contains the track.
  public struct Place: Sendable, Hashable {
    /// The playlist.
    public let id: UUID
    /// The playlist's name.
    public let name: String
  }

  /// The values shown in lists.
  public let row: TrackRow
  /// The editable values; a value is empty if there is none.
  public let values: [TrackField: String]
  /// The names of the fields that the user has edited.
  public let editedFields: Set<String>
  /// The codec.
  public let codec: String?
  /// The bit rate in kilobits per second.
  public let bitrate: Int?
  /// The sample rate in samples per second.
  public let sampleRate: Int?
  /// The number of channels.
  public let channelCount: Int?
  /// The file's size in bytes.
  public let byteCount: Int64
  /// The playlists that contain the track, sorted by name; smart playlists are omitted.
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
  /// Returns the tracks with the given ids with all details, in the order of the ids. Deleted tracks are omitted.
  ///
  /// - Throws: Any error the fetch throws.
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
