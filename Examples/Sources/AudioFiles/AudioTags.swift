import Foundation

/// The fields of a file's tags, under the names that TagLib gives them in every format, for example "ALBUMARTIST".
///
/// A value. Texts are without spaces around, and none is empty.
public struct AudioTags: Sendable, Equatable {
  private let values: [String: [String]]

  /// Makes tags of names and values; a name with several values comes several times.
  ///
  /// - Parameter fields: Names in any case, and values.
  public init(_ fields: [(name: String, value: String)]) {
    var values: [String: [String]] = [:]
    for field in fields {
      let value = field.value.trimmingCharacters(in: Self.margins)
      if !value.isEmpty { values[field.name.uppercased(), default: []].append(value) }
    }
    self.values = values
  }

  /// Old tags are filled with zero bytes.
  private static let margins = CharacterSet.whitespacesAndNewlines.union(["\0"])

  /// The names of the fields, sorted.
  public var names: [String] { values.keys.sorted() }

  /// The values of a field; none when it is missing.
  public subscript(name: String) -> [String] { values[name] ?? [] }

  /// The text of a field, several values joined by "; "; nil when it is missing.
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
  /// The album's artist.
  public var albumArtist: String? { text("ALBUMARTIST") ?? text("ALBUM ARTIST") }
  /// The composer.
  public var composer: String? { text("COMPOSER") }
  /// The genre.
  public var genre: String? { text("GENRE") }
  /// A remark.
  public var comment: String? { text("COMMENT") ?? text("DESCRIPTION") }
  /// The words that are sung.
  public var lyrics: String? { text("LYRICS") ?? text("UNSYNCEDLYRICS") }
  /// The title to sort by.
  public var sortTitle: String? { text("TITLESORT") }
  /// The artist's name to sort by.
  public var sortArtist: String? { text("ARTISTSORT") }
  /// The album's title to sort by.
  public var sortAlbum: String? { text("ALBUMSORT") }
  /// The name of the album's artist to sort by.
  public var sortAlbumArtist: String? { text("ALBUMARTISTSORT") }

  /// Whether the album collects tracks of several artists.
  public var isCompilation: Bool {
    ["1", "true", "yes"].contains(first("COMPILATION", "ITUNESCOMPILATION")?.lowercased() ?? "")
  }

  /// The id of the recording at MusicBrainz.
  public var recordingID: String? { first("MUSICBRAINZ_TRACKID") }
  /// The id of the album at MusicBrainz.
  public var albumID: String? { first("MUSICBRAINZ_ALBUMID") }
  /// The id of the artist at MusicBrainz.
  public var artistID: String? { first("MUSICBRAINZ_ARTISTID") }
  /// The id of the album's artist at MusicBrainz.
  public var albumArtistID: String? { first("MUSICBRAINZ_ALBUMARTISTID") }

  // MARK: Numbers

  /// The track's place on its disc, and the number of tracks.
  public var track: PlaceInList {
    PlaceInList(first("TRACKNUMBER"), count: first("TRACKTOTAL", "TOTALTRACKS"))
  }

  /// The disc's place, and the number of discs.
  public var disc: PlaceInList {
    PlaceInList(first("DISCNUMBER"), count: first("DISCTOTAL", "TOTALDISCS"))
  }

  /// When it appeared.
  public var date: TagDate? { first("DATE", "YEAR", "RELEASEDATE").flatMap(TagDate.init) }
  /// When it first appeared.
  public var originalDate: TagDate? { first("ORIGINALDATE", "ORIGINALYEAR").flatMap(TagDate.init) }

  /// How much louder to play the track, in decibels.
  public var trackGain: Double? { decibels("REPLAYGAIN_TRACK_GAIN") }
  /// How much louder to play the tracks of the album, in decibels.
  public var albumGain: Double? { decibels("REPLAYGAIN_ALBUM_GAIN") }
  /// The track's highest sample, where 1 is the loudest that can be played.
  public var trackPeak: Double? { first("REPLAYGAIN_TRACK_PEAK").flatMap(Self.number) }
  /// The album's highest sample, where 1 is the loudest that can be played.
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
