import CoreData
import Foundation
import KanoraCore
import KanoraSamples
import OpenPersistenceKit
import StoreSharing
import Testing

/// Stores of older versions of the model.
@Suite("Versions of the library model")
struct MigrationTests {
  private let folder: URL
  private let file: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("KanoraVersions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("Kanora.sqlite")
  }

  private static let ids = (0..<4).map(FormerLibrary.id)

  private func fill(version: Int) throws { try FormerLibrary(version: version).write(to: file) }

  /// Requires that the library has the contents of ``fill(version:)`` in the form of the newest
  /// version.
  private func requireContents() throws {
    let store = try KanoraStore.openExisting(file)
    let context = store.newBackgroundContext()
    try context.performAndWait {
      func all<Object: NSManagedObject>(_ type: Object.Type, _ entity: String) throws -> [Object] {
        let request = NSFetchRequest<Object>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "id", ascending: true)]
        return try context.fetch(request)
      }
      let artists = try all(Artist.self, "Artist")
      #expect(artists.map(\.name) == ["The Beatles", "Björk", "The Who", "Prince"])
      #expect(artists.map(\.sortName) == ["Beatles, The", "Björk", "Who, The", "Nelson"])
      #expect(artists.map(\.nameKey) == ["the beatles", "bjork", "the who", "prince"])
      #expect(artists.map(\.sortKey) == ["beatles, the", "bjork", "who, the", "nelson"])
      #expect(artists.map(\.id) == Self.ids)
      let albums = try all(Album.self, "Album")
      #expect(albums.map(\.title) == (0..<4).map { "The Album \($0)" })
      #expect(albums.map(\.sortKey) == (0..<4).map { "album \($0), the" })
      #expect(albums.map(\.artist) == artists)
      #expect(albums.allSatisfy { $0.year == 1960 && !$0.isCompilation })
      let tracks = try all(Track.self, "Track")
      #expect(tracks.map(\.album) == albums)
      #expect(tracks.map(\.rating) == [0, 1, 2, 3])
      #expect(tracks.map(\.titleKey) == (0..<4).map { "song \($0)" })
      #expect(tracks.allSatisfy { $0.genreKey == "rock" && $0.fileSize == 5_000_000_000 })
      #expect(tracks.allSatisfy { $0.playCount == 3 && $0.duration == 1.5 && !$0.isLoved })
      let playlists = try all(Playlist.self, "Playlist")
      #expect(playlists.map(\.summary) == (0..<4).map { "About \($0)" })
      #expect(playlists.allSatisfy { $0.smartCriteria == NSData(data: Data("{}".utf8)) })
      #expect(playlists.compactMap { $0.items.first?.track } == tracks)
      let user = try all(LibraryUser.self, "User")
      #expect(user.first?.preferences?["theme"] as? String == "dark")
      #expect(user.first?.libraries.first?.artists.count == 4)
      #expect(try LibraryCheck().findings([.emptyAlbum, .positions], in: context).isEmpty)
    }
    #expect(try LibraryCheck().storeFindings(in: store).isEmpty)
  }

  @Test(
    "a store of an older version opens with the newest model, and keeps every value",
    arguments: [1, 2])
  func older(_ version: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill(version: version)
    try requireContents()
    try requireContents()
  }

  @Test(
    "the first step is inferred, and the second one requires a mapping with a policy")
  func plan() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill(version: 1)
    let steps = try KanoraModel.migration(of: file).plan().steps
    #expect(steps.map(\.kind) == [.inferred, .mapped])
    #expect(steps.map { $0.way != nil } == [true, false])
    // Nothing leads to the newest version without the policy.
    for version in [1, 2] {
      let (old, new) = (try KanoraModel.make(version: version), try KanoraModel.make())
      #expect(throws: (any Error).self) {
        try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
      }
    }
  }

  @Test("a migration that was ended in the middle continues when the library is opened")
  func interrupted() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill(version: 1)
    let migration = try KanoraModel.migration(of: file)
    #expect(throws: (any Error).self) { try migration.run { $0 < 0.6 } }
    #expect(try migration.interrupted != nil)
    #expect(try migration.currentVersion == "2")
    try requireContents()
    #expect(try migration.interrupted == nil)
  }

  @Test("a migration keeps the backups that the user has made")
  func backups() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill(version: 2)
    let own = StoreBackups(ofStoreAt: file)
    let made = try (1...3).map { _ in try own.make() }
    try requireContents()
    #expect(try Set(own.list()) == Set(made))
  }

  @Test("a cancelled step leaves the store in the version before it")
  func cancelled() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill(version: 2)
    let migration = try KanoraModel.migration(of: file)
    #expect(throws: (any Error).self) { try migration.run { _ in false } }
    #expect(try migration.currentVersion == "2")
    try migration.rollBack()
    try requireContents()
  }

  @Test(
    "names are put in order, and sort names follow from them",
    arguments: [
      ("Beatles, The", "The Beatles", "Beatles, The"),
      ("The Beatles", "The Beatles", "Beatles, The"),
      ("A Perfect Circle", "A Perfect Circle", "Perfect Circle, A"),
      ("The The", "The The", "The, The"),
      ("The", "The", "The"), (", The", ", The", ", The"), ("Theory", "Theory", "Theory"),
      ("Tyler, The Creator", "Tyler, The Creator", "Tyler, The Creator"), ("", "", ""),
    ])
  func names(_ stored: String, _ name: String, _ sortName: String) {
    #expect(SortName.inOrder(stored) == name)
    #expect(SortName.of(name) == sortName)
  }
}
