import AudioFiles
import CoreData
import Foundation
import OpenPersistenceKit

/// Finds or creates the artists and albums of a batch of files, with one fetch for artists and one for albums.
///
/// Confined to the queue of its context.
final class AlbumBatch {
  private struct Key: Hashable {
    let artist: NSManagedObjectID
    let title: String
  }

  private let context: NSManagedObjectContext
  private let library: Library
  private var artists: [String: Artist] = [:]
  private var albums: [Key: Album] = [:]

  init(
    _ names: [AlbumNaming], of library: Library, in context: NSManagedObjectContext
  ) throws {
    self.context = context
    self.library = library
    try fetch(artists: Set(names.map(\.keys.artist)), albums: Set(names.map(\.keys.title)))
  }

  private func fetch(artists artistKeys: Set<String>, albums albumKeys: Set<String>) throws {
    let request = NSFetchRequest<Artist>(entityName: "Artist")
    request.predicate = NSPredicate(
      format: "library == %@ AND nameKey IN %@", argumentArray: [library, artistKeys.sorted()])
    // If several artists have the same name, the oldest one is always used.
    request.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    request.returnsObjectsAsFaults = false
    for artist in try context.fetch(request) where artists[artist.nameKey] == nil {
      artists[artist.nameKey] = artist
    }
    guard !artists.isEmpty else { return }
    let albumRequest = NSFetchRequest<Album>(entityName: "Album")
    albumRequest.predicate = NSPredicate(
      format: "artist IN %@ AND titleKey IN %@",
      argumentArray: [Array(artists.values), albumKeys.sorted()])
    albumRequest.sortDescriptors = [NSSortDescriptor(key: "createdAt", ascending: true)]
    albumRequest.returnsObjectsAsFaults = false
    for album in try context.fetch(albumRequest) {
      guard let artist = album.artist else { continue }
      let key = Key(artist: artist.objectID, title: album.titleKey)
      if albums[key] == nil { albums[key] = album }
    }
  }

  /// Returns the album of a file, and creates the album and its artist if they do not exist.
  func album(for naming: AlbumNaming, _ tags: AudioTags, now: Date) -> Album {
    let keys = naming.keys
    let artist = artists[keys.artist] ?? makeArtist(naming, tags, now)
    artists[keys.artist] = artist
    let key = Key(artist: artist.objectID, title: keys.title)
    let album = albums[key] ?? makeAlbum(naming, artist, tags, now)
    albums[key] = album
    return album
  }

  private func makeArtist(_ naming: AlbumNaming, _ tags: AudioTags, _ now: Date) -> Artist {
    let artist = Artist(context: context)
    artist.rename(to: naming.artist)
    let isAlbumArtist = tags.albumArtist != nil
    let isArtist = naming.artist == tags.artist
    if let sorted = tags.sortAlbumArtist ?? (isArtist ? tags.sortArtist : nil) {
      artist.sortName = sorted
    }
    artist.mbid = isAlbumArtist ? tags.albumArtistID : isArtist ? tags.artistID : nil
    (artist.createdAt, artist.updatedAt, artist.library) = (now, now, library)
    artist.updateKeys()
    return artist
  }

  private func makeAlbum(
    _ naming: AlbumNaming, _ artist: Artist, _ tags: AudioTags, _ now: Date
  ) -> Album {
    let album = Album(context: context)
    album.sortTitle = tags.sortAlbum
    album.retitle(to: naming.title)
    (album.createdAt, album.updatedAt, album.artist) = (now, now, artist)
    return album
  }
}
