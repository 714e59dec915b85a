import CoreData
import Foundation
import OpenPersistenceKit

/// Moves tracks to other albums.
///
/// If all tracks of an album move to the same place and no other album stays there, the album is renamed. Otherwise the tracks move to an
/// album that is found by title and artist, or created. Albums and artists that become empty are deleted.
///
/// As in a scan, names that differ only in case or accents are the same name. If only the spelling of a track's own album or artist
/// changes, the album or the artist is renamed. Earlier versions created several albums or artists with such names. An edit then finds the
/// one whose name has exactly the new spelling, then the track's own one, and then the oldest one.
struct AlbumMoves {
  let context: NSManagedObjectContext
  let instant: Date

  /// The new title and artist of an album's tracks; nil for a value that stays.
  ///
  /// The names are compared by bytes, because tracks of one album can get different forms of an accent.
  private struct Move: Hashable {
    let album: Album?
    private let newTitle: PathKey?
    private let newArtist: PathKey?

    init(_ album: Album?, title: String?, artist: String?) {
      self.album = album
      newTitle = title.map { PathKey($0) }
      newArtist = artist.map { PathKey($0) }
    }

    var title: String? { newTitle?.path }
    var artist: String? { newArtist?.path }
  }

  /// - Parameters:
  ///   - tracks: The tracks to move.
  ///   - values: The changed field values of each track.
  func move(_ tracks: [Track], to values: [[TrackField: String]]) throws {
    var moves: [(Move, [Track])] = []
    var places: [Move: Int] = [:]
    for (track, values) in zip(tracks, values) {
      guard values[.album] != nil || values[.albumArtist] != nil else { continue }
      let move = Move(track.album, title: values[.album], artist: values[.albumArtist])
      if let place = places[move] {
        moves[place].1.append(track)
      } else {
        places[move] = moves.count
        moves.append((move, [track]))
      }
    }
    // Albums that move as a whole do not occupy their old places, so that two albums can exchange their titles.
    var leaving = Set(
      moves.compactMap { move, tracks in
        move.album.flatMap { $0.tracks == Set(tracks) ? $0 : nil }
      })
    var touched: Set<Album> = []
    var artists: Set<Artist> = []
    for (move, tracks) in moves {
      if let album = move.album { touched.insert(album) }
      if let artist = move.album?.artist { artists.insert(artist) }
      touched.insert(try carryOut(move, tracks, leaving: leaving))
      if let album = move.album { leaving.remove(album) }
    }
    context.processPendingChanges()
    for album in touched { album.updateTotals() }
    try LibraryDesk.deleteEmpty(Array(touched), Array(artists), in: context)
  }

  private func carryOut(
    _ move: Move, _ tracks: [Track], leaving: Set<Album>
  ) throws -> Album {
    let artist = try self.artist(of: move)
    if move.title == nil, let album = move.album, album.artist == artist { return album }
    let title = move.title ?? move.album?.title ?? Album.unknownTitle
    let key = SearchText.fold(title)
    let places = artist.albums.filter {
      $0.titleKey == key && !$0.isDeleted && ($0 == move.album || !leaving.contains($0))
    }.sorted { $0.createdAt < $1.createdAt }
    let place =
      places.first { $0.title.hasSameBytes(as: title) } ?? places.first { $0 == move.album }
      ?? places.first
    if let album = place {
      if album == move.album { rename(album, to: title, of: artist) }
      for track in tracks { track.album = album }
      return album
    }
    if let album = move.album, album.tracks == Set(tracks) {
      rename(album, to: title, of: artist)
      return album
    }
    let album = Album(context: context)
    album.retitle(to: title)
    (album.artist, album.createdAt, album.updatedAt) = (artist, instant, instant)
    if let old = move.album {
      (album.year, album.genre, album.artworkPath) = (old.year, old.genre, old.artworkPath)
      album.isCompilation = old.isCompilation
    }
    for track in tracks { track.album = album }
    return album
  }

  private func rename(_ album: Album, to title: String, of artist: Artist) {
    album.retitle(to: title)
    album.update(\.artist, to: artist)
    album.updatedAt = instant
  }

  /// Returns the album artist of a move, which gets the new spelling of its name.
  private func artist(of move: Move) throws -> Artist {
    let own = move.album?.artist
    if move.artist == nil, let own { return own }
    let name = move.artist ?? Artist.unknownName
    let artist = try self.artist(name, in: own?.library ?? firstLibrary(), preferring: own)
    if artist == own, !artist.name.hasSameBytes(as: name) {
      artist.rename(to: name)
      artist.updatedAt = instant
    }
    return artist
  }

  /// The library that was added first, or nil if there is none.
  func firstLibrary() throws -> Library? {
    let request = NSFetchRequest<Library>(entityName: "Library")
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// Returns the artist with the given name in a library, and creates it if it does not exist. Case and accents are ignored.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - library: The library.
  ///   - own: The artist to prefer to other artists whose names differ in case or accents; nil for none.
  func artist(_ name: String, in library: Library?, preferring own: Artist? = nil) throws -> Artist
  {
    let request = NSFetchRequest<Artist>(entityName: "Artist")
    request.predicate = NSPredicate(
      format: "nameKey == %@ AND library == %@",
      argumentArray: [SearchText.fold(name), library ?? NSNull()])
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    let artists = try context.fetch(request).filter { !$0.isDeleted }
    let found =
      artists.first { $0.name.hasSameBytes(as: name) } ?? artists.first { $0 == own }
      ?? artists.first { $0.name == name } ?? artists.first
    if let found { return found }
    let artist = Artist(context: context)
    artist.rename(to: name)
    (artist.library, artist.createdAt, artist.updatedAt) = (library, instant, instant)
    return artist
  }
}
