import CoreData
package import Foundation
package import KanoraCore
import StoreSharing

/// A store of an older version of the model, with objects of the entities that all versions have.
package struct FormerLibrary: Sendable {
  /// The reason why a store could not be created.
  private struct Failure: Error {
    let entity: String
  }

  /// The version of the model.
  package let version: Int
  /// How many artists it has, each with one album, one track and one playlist.
  package let artistCount: Int

  /// Describes a store.
  package init(version: Int, artistCount: Int = 4) {
    (self.version, self.artistCount) = (version, artistCount)
  }

  /// The id of the objects of a number.
  package static func id(_ number: Int) -> UUID {
    let (high, low) = (UInt8(number / 256), UInt8(number % 256))
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low))
  }

  /// The stored name and sort name of an artist, and their values in the newest version.
  private static func names(
    _ number: Int
  ) -> (stored: (String, String?), newest: (name: String, sortName: String)) {
    let end = number < 4 ? "" : " \(number)"
    return switch number % 4 {
    case 0: (("Beatles\(end), The", nil), ("The Beatles\(end)", "Beatles\(end), The"))
    case 1: (("Björk\(end)", nil), ("Björk\(end)", "Björk\(end)"))
    case 2: (("The Who\(end)", "Who\(end), The"), ("The Who\(end)", "Who\(end), The"))
    default: (("Prince\(end)", "Nelson\(end)"), ("Prince\(end)", "Nelson\(end)"))
    }
  }

  // MARK: Writing

  /// Makes the store.
  ///
  /// - Parameter file: The store's file, which does not exist yet.
  package func write(to file: URL) throws {
    let model = try KanoraModel.make(version: version)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      try fill(context, model)
      try context.save()
    }
    try coordinator.remove(store)
  }

  private func fill(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws {
    func make(_ entity: String, _ values: [String: Any]) throws -> NSManagedObject {
      guard let description = model.entitiesByName[entity] else { throw Failure(entity: entity) }
      let object = NSManagedObject(entity: description, insertInto: context)
      for key in ["createdAt", "updatedAt", "addedAt"]
      where description.attributesByName[key] != nil {
        object.setValue(SampleLibrary.date, forKey: key)
      }
      for (key, value) in values { object.setValue(value, forKey: key) }
      return object
    }
    let user = try make(
      "User",
      ["id": Self.id(0), "username": "ann", "preferences": ["theme": "dark"] as NSDictionary])
    let library = try make(
      "Library", ["id": Self.id(0), "name": "Music", "path": "/music", "user": user])
    for number in 0..<artistCount {
      let (name, sortName) = Self.names(number).stored
      let id = Self.id(number)
      let artist = try make("Artist", ["id": id, "name": name, "library": library])
      artist.setValue(sortName, forKey: "sortName")
      let album = try make(
        "Album", ["id": id, "title": "The Album \(number)", "artist": artist, "year": 1960])
      let track = try make(
        "Track",
        [
          "id": id, "title": "Sóng \(number)", "album": album, "format": "flac",
          "filePath": "/music/\(number).flac", "duration": 1.5, "playCount": 3, "genre": "Rock",
          "fileSize": 5_000_000_000,
        ])
      if number > 0 { track.setValue(number % 6, forKey: "rating") }
      let playlist = try make(
        "Playlist",
        [
          "id": id, "name": "List \(number)", "library": library,
          version == 1 ? "desc" : "summary": "About \(number)",
          "smartCriteria": NSData(data: Data("{}".utf8)),
        ])
      _ = try make("PlaylistItem", ["id": id, "position": 0, "playlist": playlist, "track": track])
    }
  }

  // MARK: Reading

  /// A line for each artist with what belongs to it, as the newest version has it.
  package var expectedLines: [String] {
    (0..<artistCount).map { number in
      let names = Self.names(number).newest
      return [
        Self.id(number).uuidString, names.name, names.sortName, "The Album \(number)",
        "Sóng \(number)", "song \(number)", "\(number % 6)", "3", "List \(number)",
        "About \(number)",
      ].joined(separator: "|")
    }
  }

  /// The lines of a store; empty for an empty store.
  package static func lines(of store: KanoraStore) throws -> [String] {
    let context = store.newBackgroundContext()
    return try context.performAndWait {
      let request = NSFetchRequest<Artist>(entityName: "Artist")
      request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: true)]
      return try context.fetch(request).map { artist in
        let album = artist.albums.first
        let track = album?.tracks.first
        let playlist = track?.playlistItems.first?.playlist
        return [
          artist.id.uuidString, artist.name, artist.sortName, album?.title ?? "",
          track?.title ?? "", track?.titleKey ?? "", "\(track?.rating ?? -1)",
          "\(track?.playCount ?? -1)", playlist?.name ?? "", playlist?.summary ?? "",
        ].joined(separator: "|")
      }
    }
  }
}
