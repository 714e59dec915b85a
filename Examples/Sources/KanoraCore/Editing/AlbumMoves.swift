import CoreData
import Foundation
import OpenPersistenceKit

/// Moves tracks to other albums.
///
/// If all tracks of an album move to the same place and no other album stays there, the album is renamed. Otherwise the tracks move to an
/// album that is found by title and artist, or created. Albums and artists that become empty are deleted.
struct AlbumMoves {
  let context: NSManagedObjectContext
  let instant: Date

  private struct Move: Hashable {
    let album: Album?
    let title: String
    let artist: String
  }

  /// - Parameters:
  ///   - tracks: The tracks to move.
  ///   - values: The changed field values of each track.
  func move(_ tracks: [Track], to values: [[TrackField: String]]) throws {
    var moves: [(Move, [Track])] = []
    var places: [Move: Int] = [:]
    for (track, values) in zip(tracks, values) {
      guard values[.album] != nil || values[.albumArtist] != nil else { continue }
      let move = Move(
        album: track.album, title: values[.album] ?? track.album?.title ?? Album.unknownTitle,
        artist: values[.albumArtist] ?? track.album?.artist?.name ?? Artist.unknownName)
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
    let library = try library(of: move.album)
    let artist = try self.artist(move.artist, in: library)
    let place = artist.albums.first {
      $0.title == move.title && !$0.isDeleted && !leaving.contains($0)
    }
    if let album = place {
      for track in tracks { track.album = album }
      return album
    }
    if let album = move.album, album.tracks == Set(tracks) {
      album.retitle(to: move.title)
      album.update(\.artist, to: artist)
      album.updatedAt = instant
      return album
    }
    let album = Album(context: context)
    album.retitle(to: move.title)
    (album.artist, album.createdAt, album.updatedAt) = (artist, instant, instant)
    if let old = move.album {
      (album.year, album.genre, album.artworkPath) = (old.year, old.genre, old.artworkPath)
      album.isCompilation = old.isCompilation
    }
    for track in tracks { track.album = album }
    return album
  }

  private func library(of album: Album?) throws -> Library? {
    try album?.artist?.library ?? firstLibrary()
  }

  /// The library that was added first, or nil if there is none.
  func firstLibrary() throws -> Library? {
    let request = NSFetchRequest<Library>(entityName: "Library")
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    request.fetchLimit = 1
    return try context.fetch(request).first
  }

  /// Returns the artist with the given name in a library, and creates it if it does not exist.
  func artist(_ name: String, in library: Library?) throws -> Artist {
    let request = NSFetchRequest<Artist>(entityName: "Artist")
    request.predicate = NSPredicate(
      format: "name == %@ AND library == %@", argumentArray: [name, library ?? NSNull()])
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    if let artist = try context.fetch(request).first(where: { !$0.isDeleted }) { return artist }
    let artist = Artist(context: context)
    artist.rename(to: name)
    (artist.library, artist.createdAt, artist.updatedAt) = (library, instant, instant)
    return artist
  }
}
