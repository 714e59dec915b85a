public import CoreData
import Foundation

/// Sample data for all entities, for previews and tests.
public enum SampleLibrary {
  private struct SampleAlbum {
    let artist: String
    let title: String
    let year: Int32
    let genre: String
    let tracks: [String]
  }

  private static let albums = [
    SampleAlbum(
      artist: "The Beatles", title: "Abbey Road", year: 1969, genre: "Rock",
      tracks: ["Come Together", "Something", "Here Comes the Sun"]),
    SampleAlbum(
      artist: "The Beatles", title: "Revolver", year: 1966, genre: "Rock",
      tracks: ["Taxman", "Eleanor Rigby"]),
    SampleAlbum(
      artist: "Björk", title: "Debut", year: 1993, genre: "Electronic",
      tracks: ["Human Behaviour", "Venus as a Boy"]),
    SampleAlbum(
      artist: "Miles Davis", title: "Kind of Blue", year: 1959, genre: "Jazz",
      tracks: ["So What", "Blue in Green", "All Blues"]),
  ]

  /// The date that all dates of the sample are derived from.
  public static let date = Date(timeIntervalSinceReferenceDate: 700_000_000)

  /// Creates one user with a library of artists, albums, tracks, playlists, plays and a bad file. Does not save.
  ///
  /// - Parameter context: The context to insert the objects into.
  /// - Returns: The library.
  @discardableResult
  public static func fill(_ context: NSManagedObjectContext) throws -> Library {
    let user = LibraryUser(context: context)
    user.username = "sample"
    user.email = "sample@example.com"
    user.preferences = ["theme": "dark"] as NSDictionary
    let library = Library(context: context)
    (library.name, library.path, library.isDefault, library.user) = (
      "Sample", "/music", true, user
    )
    (library.createdAt, library.updatedAt, library.lastScannedAt) = (date, date, date)
    var artists: [String: Artist] = [:]
    var tracks: [Track] = []
    for (index, sample) in albums.enumerated() {
      let artist = artists[sample.artist] ?? makeArtist(sample.artist, library, context)
      artists[sample.artist] = artist
      tracks += makeAlbum(sample, artist, number: index, context)
    }
    makePlaylists(library, tracks, context)
    let bad = BadFile(context: context)
    (bad.path, bad.reason, bad.seenAt, bad.library) = (
      "/music/broken.mp3", "The file has no audio.", date, library
    )
    return library
  }

  private static func makeArtist(
    _ name: String, _ library: Library, _ context: NSManagedObjectContext
  ) -> Artist {
    let artist = Artist(context: context)
    artist.rename(to: name)
    artist.library = library
    return artist
  }

  private static func makeAlbum(
    _ sample: SampleAlbum, _ artist: Artist, number: Int, _ context: NSManagedObjectContext
  ) -> [Track] {
    let album = Album(context: context)
    album.retitle(to: sample.title)
    (album.artist, album.year, album.genre) = (artist, sample.year, sample.genre)
    album.artworkPath = "/music/\(sample.artist)/\(sample.title)/cover.jpg"
    let tracks = sample.tracks.enumerated().map { index, title in
      let track = Track(context: context)
      (track.title, track.album, track.trackNumber) = (title, album, Int16(index + 1))
      (track.genre, track.year, track.format) = (sample.genre, sample.year, "flac")
      track.duration = Double(180 + 20 * index)
      track.filePath = "/music/\(sample.artist)/\(sample.title)/\(index + 1) \(title).flac"
      track.fileSize = Int64(20_000_000 + 1_000_000 * index)
      track.fingerprint = "sample-\(number)-\(index)"
      (track.bitrate, track.sampleRate, track.channels) = (900, 44_100, 2)
      track.rating = Int16((number + index) % 6)
      track.playCount = Int32(number * index)
      track.createdAt = date.addingTimeInterval(Double(number) * 86_400)
      track.updatedAt = track.createdAt
      if track.playCount > 0 {
        track.lastPlayedAt = date.addingTimeInterval(Double(number + index) * 86_400)
        let play = Play(context: context)
        (play.date, play.track) = (track.lastPlayedAt ?? date, track)
      }
      track.updateKeys()
      return track
    }
    album.updateTotals()
    return tracks
  }

  private static func makePlaylists(
    _ library: Library, _ tracks: [Track], _ context: NSManagedObjectContext
  ) {
    let playlist = Playlist(context: context)
    (playlist.name, playlist.library, playlist.summary) = ("Evening", library, "Calm")
    for (position, track) in tracks.prefix(4).enumerated() {
      let item = PlaylistItem(context: context)
      (item.position, item.playlist, item.track) = (Int32(position), playlist, track)
    }
  }
}
