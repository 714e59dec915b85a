import Foundation

/// The fields of a file's tags, under the names that TagLib uses for every format, for example "ALBUMARTIST".
///
/// A value. Texts have no surrounding white space, and none is empty.
public struct AudioTags: Sendable, Equatable {
  private let values: [String: [String]]

  /// Creates tags from names and values. A name with several values appears several times.
  ///
  /// - Parameter fields: The names, in any case, and values.
  public init(_ fields: [(name: String, value: String)]) {
    var values: [String: [String]] = [:]
    for field in fields {
      let value = field.value.trimmingCharacters(in: Self.margins)
      if !value.isEmpty { values[field.name.uppercased(), default: []].append(value) }
    }
    self.values = values
  }

  /// Old tags are padded with zero bytes.
  private static let margins = CharacterSet.whitespacesAndNewlines.union(["\0"])

  /// The names of the fields, sorted.
  public var names: [String] { values.keys.sorted() }

  /// The values of a field, or an empty array if it is missing.
  public subscript(name: String) -> [String] { values[name] ?? [] }

  /// Returns the text of a field, with several values joined by "; ", or nil if it is missing.
  public func text(_ name: String) -> String? {
    values[name].map { $0.joined(separator: "; ") }
  }

  private func first(_ names: String...) -> String? {
    for name in names {
      if let value = values[name]?.first { return value }
    }
    return nil
  }

  // MARK: Texts

  /// The track's title.
  public var title: String? { text("TITLE") }
  /// The track's artist.
  public var artist: String? { text("ARTIST") }
  /// The album's title.
  public var album: String? { text("ALBUM") }
  /// The album artist.
  public var albumArtist: String? { text("ALBUMARTIST") ?? text("ALBUM ARTIST") }
  /// The composer.
  public var composer: String? { text("COMPOSER") }
  /// The genre.
  public var genre: String? { text("GENRE") }
  /// The comment.
  public var comment: String? { text("COMMENT") ?? text("DESCRIPTION") }
  /// The lyrics.
  public var lyrics: String? { text("LYRICS") ?? text("UNSYNCEDLYRICS") }
  /// The title used for sorting.
  public var sortTitle: String? { text("TITLESORT") }
  /// The artist's name used for sorting.
  public var sortArtist: String? { text("ARTISTSORT") }
  /// The album's title used for sorting.
  public var sortAlbum: String? { text("ALBUMSORT") }
  /// The album artist's name used for sorting.
  public var sortAlbumArtist: String? { text("ALBUMARTISTSORT") }

  /// Whether the album is a compilation of tracks by several artists.
  public var isCompilation: Bool {
    ["1", "true", "yes"].contains(first("COMPILATION", "ITUNESCOMPILATION")?.lowercased() ?? "")
  }

  /// The MusicBrainz id of the recording.
  public var recordingID: String? { first("MUSICBRAINZ_TRACKID") }
  /// The MusicBrainz id of the album.
  public var albumID: String? { first("MUSICBRAINZ_ALBUMID") }
  /// The MusicBrainz id of the artist.
  public var artistID: String? { first("MUSICBRAINZ_ARTISTID") }
  /// The MusicBrainz id of the album artist.
  public var albumArtistID: String? { first("MUSICBRAINZ_ALBUMARTISTID") }

  // MARK: Numbers

  /// The track number on its disc, and the number of tracks.
  public var track: PlaceInList {
    PlaceInList(first("TRACKNUMBER"), count: first("TRACKTOTAL", "TOTALTRACKS"))
  }

  /// The disc number, and the number of discs.
  public var disc: PlaceInList {
    PlaceInList(first("DISCNUMBER"), count: first("DISCTOTAL", "TOTALDISCS"))
  }

  /// The release date.
  public var date: TagDate? { first("DATE", "YEAR", "RELEASEDATE").flatMap(TagDate.init) }
  /// The original release date.
  public var originalDate: TagDate? { first("ORIGINALDATE", "ORIGINALYEAR").flatMap(TagDate.init) }

  /// The gain to apply to the track, in decibels.
  public var trackGain: Double? { decibels("REPLAYGAIN_TRACK_GAIN") }
  /// The gain to apply to the tracks of the album, in decibels.
  public var albumGain: Double? { decibels("REPLAYGAIN_ALBUM_GAIN") }
  /// The peak sample value of the track, where 1 is full scale.
  public var trackPeak: Double? { first("REPLAYGAIN_TRACK_PEAK").flatMap(Self.number) }
  /// The peak sample value of the album, where 1 is full scale.
  public var albumPeak: Double? { first("REPLAYGAIN_ALBUM_PEAK").flatMap(Self.number) }

  private func decibels(_ name: String) -> Double? {
    first(name).flatMap { text in
      let digits = text.lowercased().hasSuffix("db") ? String(text.dropLast(2)) : text
      return Self.number(digits.trimmingCharacters(in: .whitespaces))
    }
  }

  private static func number(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
