import AudioFiles
import Foundation

/// Which album a file's tags put it on.
///
/// A value. The album artist decides: an album is one artist's or, for a collection whose tags name no album artist,
/// that of "Various Artists". Its discs are one album, also where tags write the disc behind the title.
struct AlbumNaming: Sendable, Hashable {
  static let variousArtists = "Various Artists"

  /// The name of the album's artist.
  let artist: String
  /// The album's title, without the number of a disc.
  let title: String
  /// The number of the disc that was written behind the title.
  let disc: Int?

  init(_ tags: AudioTags) {
    let collected = tags.isCompilation ? Self.variousArtists : nil
    artist = tags.albumArtist ?? collected ?? tags.artist ?? Artist.unknownName
    (title, disc) = Self.split(tags.album ?? Album.unknownTitle)
  }

  /// What album and artist are found by: titles and names that differ in case or accents only are the same.
  var keys: (artist: String, title: String) { (SearchText.fold(artist), SearchText.fold(title)) }

  /// Takes "(Disc 2)" and the like off the end of a title.
  private static func split(_ title: String) -> (title: String, disc: Int?) {
    let pattern = /\s*[,\-–:]?\s*[\(\[]?\s*(?:disc|disk|cd)\s*([0-9]{1,2})\s*[\)\]]?\s*$/
      .ignoresCase()
    guard let match = title.firstMatch(of: pattern), let disc = Int(match.1), disc > 0 else {
      return (title, nil)
    }
    let rest = title[..<match.range.lowerBound].trimmingCharacters(in: .whitespaces)
    // "Disc 2" alone is a title, and so is a word that only ends with these letters.
    let isSeparate = !(match.0.first?.isLetter ?? true)
    return rest.isEmpty || !isSeparate ? (title, nil) : (rest, disc)
  }
}
