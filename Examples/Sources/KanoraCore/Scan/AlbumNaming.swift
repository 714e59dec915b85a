import AudioFiles
import Foundation

/// The album that a file belongs to, derived from its tags.
///
/// A value. The album artist decides: an album belongs to one artist or, if the file is part of a compilation and its tags name no album
/// artist, to "Various Artists". The discs of an album form one album, even if the tags append the disc to the title.
struct AlbumNaming: Sendable, Hashable {
  static let variousArtists = "Various Artists"

  /// The name of the album's artist.
  let artist: String
  /// The album's title, without a disc number.
  let title: String
  /// The disc number that follows the title.
  let disc: Int?

  init(_ tags: AudioTags) {
    let collected = tags.isCompilation ? Self.variousArtists : nil
    artist = tags.albumArtist ?? collected ?? tags.artist ?? Artist.unknownName
    (title, disc) = Self.split(tags.album ?? Album.unknownTitle)
  }

  /// The keys for finding the artist and album; names and titles that differ only in case or accents have the same key.
  var keys: (artist: String, title: String) { (SearchText.fold(artist), SearchText.fold(title)) }

  /// Splits "(Disc 2)" and similar suffixes off a title.
  private static func split(_ title: String) -> (title: String, disc: Int?) {
    let pattern = /\s*[,\-–:]?\s*[\(\[]?\s*(?:disc|disk|cd)\s*([0-9]{1,2})\s*[\)\]]?\s*$/
      .ignoresCase()
    guard let match = title.firstMatch(of: pattern), let disc = Int(match.1), disc > 0 else {
      return (title, nil)
    }
    let rest = title[..<match.range.lowerBound].trimmingCharacters(in: .whitespaces)
    // "Disc 2" alone is a title, and so is a word that merely ends in these letters.
    let isSeparate = !(match.0.first?.isLetter ?? true)
    return rest.isEmpty || !isSeparate ? (title, nil) : (rest, disc)
  }
}
