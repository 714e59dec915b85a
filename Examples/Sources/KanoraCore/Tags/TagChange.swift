import AudioFiles
import Foundation

/// The change of one field of a file's tags.
public struct TagChange: Sendable, Hashable, Codable {
  /// The name of the field, for example "ALBUMARTIST".
  public let name: String
  /// The values before the change; empty if the field was missing.
  public let old: [String]
  /// The values after the change; empty if the field is removed.
  public let new: [String]
}

/// A file with the changes of its tags.
public struct TaggedFile: Sendable, Hashable, Codable {
  /// The file's path.
  public let path: String
  /// The changes, sorted by name.
  public let changes: [TagChange]
}

/// The result of writing or restoring tags.
public struct TagReport: Sendable, Hashable, Codable {
  /// A file whose tags cannot be read or changed.
  public struct Failure: Sendable, Hashable, Codable {
    /// The file's path.
    public let path: String
    /// The reason, in one or two sentences.
    public let reason: String
  }

  /// The files whose tags change.
  public internal(set) var files: [TaggedFile] = []
  /// The files that stay unchanged because of an error.
  public internal(set) var failures: [Failure] = []
}

/// The fields of one track that the user has edited.
///
/// A value.
struct EditedTrack: Sendable {
  let id: UUID
  let path: String
  private let albumArtist: String
  private let values: [TrackField: String]

  init(_ track: Track) {
    id = track.id
    path = track.filePath
    albumArtist = TrackField.albumArtist.value(of: track)
    let edited = track.editedFields
    values = TrackField.allCases.reduce(into: [:]) { values, field in
      guard edited.contains(field.rawValue) else { return }
      // A file names its artist even if it is the album artist.
      values[field] = field == .artist ? track.displayArtist : field.value(of: track)
    }
  }

  /// Whether there is a field to write.
  var isEdited: Bool { !values.isEmpty }

  /// Returns the changes that give a file the edited values. A scan that reads the changed file finds the same values, album and artist.
  func changes(of tags: AudioTags) -> [TagChange] {
    var new: [String: [String]] = [:]
    for (field, value) in values where value != field.text(in: tags) {
      guard !value.isEmpty else {
        for name in field.tagNames { new[name] = [] }
        continue
      }
      let name = field.tagNames[0]
      new[name] = [field.hasTotal ? Self.number(value, replacing: tags[name].first) : value]
    }
    // Without these fields, the scan would derive the disc from the album's title, and the album artist from the artist.
    if new["ALBUM"] != nil, tags.disc.number == nil, let disc = AlbumNaming(tags).disc {
      new["DISCNUMBER"] = new["DISCNUMBER"] ?? ["\(disc)"]
    }
    if new["ARTIST"] != nil, tags.albumArtist == nil, !tags.isCompilation, !albumArtist.isEmpty {
      new["ALBUMARTIST"] = [albumArtist]
    }
    return new.sorted { $0.key < $1.key }.compactMap { name, values in
      let old = tags[name]
      return old == values ? nil : TagChange(name: name, old: old, new: values)
    }
  }

  /// Returns a number with the total of the old text: 4 and "3/12" become "4/12".
  private static func number(_ number: String, replacing old: String?) -> String {
    guard let total = old?.split(separator: "/").dropFirst().first else { return number }
    return "\(number)/\(total)"
  }
}

extension TrackField {
  /// The names of the fields in tags. The first one is written, and all are removed if the value is cleared.
  fileprivate var tagNames: [String] {
    switch self {
    case .title: ["TITLE"]
    case .artist: ["ARTIST"]
    case .album: ["ALBUM"]
    case .albumArtist: ["ALBUMARTIST"]
    case .genre: ["GENRE"]
    case .year: ["DATE", "YEAR", "RELEASEDATE"]
    case .trackNumber: ["TRACKNUMBER"]
    case .discNumber: ["DISCNUMBER"]
    case .composer: ["COMPOSER"]
    case .lyrics: ["LYRICS", "UNSYNCEDLYRICS"]
    }
  }

  /// Whether tags can contain a total after the number.
  fileprivate var hasTotal: Bool { self == .trackNumber || self == .discNumber }

  /// Returns the value that a scan reads from tags, as text, which is empty if there is none.
  fileprivate func text(in tags: AudioTags) -> String {
    let naming = AlbumNaming(tags)
    return switch self {
    case .title: tags.title ?? ""
    case .artist: tags.artist ?? ""
    case .album: naming.title
    case .albumArtist: tags.albumArtist ?? ""
    case .genre: tags.genre ?? ""
    case .year: tags.date.map { "\($0.year)" } ?? ""
    case .trackNumber: tags.track.number.map { "\($0)" } ?? ""
    case .discNumber: "\(tags.disc.number ?? naming.disc ?? 1)"
    case .composer: tags.composer ?? ""
    case .lyrics: tags.lyrics ?? ""
    }
  }
}
