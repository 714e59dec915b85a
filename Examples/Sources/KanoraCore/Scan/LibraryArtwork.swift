public import AudioFiles
import CoreData
public import Foundation
import OpenPersistenceKit

/// The pictures of albums and tracks, read from their files and folders.
///
/// A value.
public struct LibraryArtwork: Sendable {
  private let store: KanoraStore

  /// Creates an artwork reader for a store.
  public init(_ store: KanoraStore) { self.store = store }

  /// Returns the picture of an album.
  ///
  /// - Parameter album: The album's id.
  /// - Returns: The picture, or nil if there is no picture or no such album, or its file cannot be read.
  /// - Throws: Any error a fetch throws.
  /// > Concurrency: Any thread; blocks while a file is read.
  public func picture(ofAlbum album: UUID) throws -> Picture? {
    let paths = try store.performBatchOperation { context -> [String] in
      let request = NSFetchRequest<Album>(entityName: "Album")
      request.predicate = NSPredicate(format: "id == %@", argumentArray: [album])
      guard let found = try context.fetch(request).first else { return [] }
      let tracks = NSFetchRequest<Track>(entityName: "Track")
      tracks.predicate = NSPredicate(
        format: "album == %@ AND missingSince == nil", argumentArray: [found])
      tracks.sortDescriptors = [
        NSSortDescriptor(key: "discNumber", ascending: true),
        NSSortDescriptor(key: "trackNumber", ascending: true),
      ]
      tracks.fetchLimit = 1
      return try [found.artworkPath].compactMap { $0 } + context.fetch(tracks).map(\.filePath)
    }
    return paths.lazy.compactMap(picture(at:)).first
  }

  /// Returns the picture of a track: its own, or that of its folder.
  ///
  /// - Parameter track: The track's id.
  /// - Returns: The picture, or nil if there is no picture or no such track, or its file cannot be read.
  /// - Throws: Any error a fetch throws.
  /// > Concurrency: Any thread; blocks while a file is read.
  public func picture(ofTrack track: UUID) throws -> Picture? {
    let path = try store.performBatchOperation { context -> String? in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "id == %@", argumentArray: [track])
      return try context.fetch(request).first?.filePath
    }
    return path.flatMap(picture(at:))
  }

  /// Returns the picture at a path, which may be a picture file or an audio file.
  private func picture(at path: String) -> Picture? {
    let url = URL(fileURLWithPath: path)
    // A file that cannot be read has no picture; the scan reports it.
    if let picture = try? Picture.read(url) { return picture }
    return try? Artwork.find(for: url)
  }
}
