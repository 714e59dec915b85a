import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Synchronization
import Testing

/// Actions that another program undoes and repeats, after the program that carried them out has ended.
@Suite("Recorded actions")
struct RecordedStepTests {
  private let temporary: TemporaryLibrary
  private let desk: LibraryDesk

  init() throws {
    temporary = try TemporaryLibrary()
    desk = try temporary.fillWithSamples()
  }

  /// Returns a desk that shares only the files, as in another program.
  private func otherDesk() throws -> LibraryDesk {
    LibraryDesk(try KanoraStore.openExisting(temporary.file))
  }

  /// The whole library as text.
  private func image() throws -> String {
    let data = try KanoraStore.openExisting(temporary.file).performBatchOperation {
      try LibraryDocument(in: $0).data()
    }
    return String(decoding: data, as: UTF8.self)
  }

  private func rows(_ text: String) throws -> [TrackRow] {
    let filter = TrackFilter(query: try LibraryQuery(text))
    return try KanoraStore.openExisting(temporary.file).performBatchOperation {
      try LibraryLists.tracks(filter, window: 0..<100, in: $0)
    }
  }

  private func evening() throws -> UUID {
    let lists = try temporary.store.performBatchOperation { try LibraryLists.playlists(in: $0) }
    return try #require(lists.first { $0.name == "Evening" }).id
  }

  /// The actions that the tests undo, by the names of their steps.
  private enum Action: String, CaseIterable {
    case renameAlbum = "Edit 3 Tracks"
    case moveTrack = "Edit Track"
    case editAll = "Edit 10 Tracks"
    case rate = "Rate 2 Tracks"
    case deleteTracks = "Delete 5 Tracks"
    case deleteAlbum = "Delete Album"
    case deleteArtist = "Delete Artist"
    case makePlaylist = "New Playlist"
    case addItems = "Add to Playlist"
    case moveItem = "Move in Playlist"
    case removeItems = "Remove from Playlist"
    case deletePlaylist = "Delete Playlist"
    case importTable = "Import Table"
    case repair = "Repair Library"
  }

  private func carryOut(_ action: Action) async throws {
    let beatles = try rows("artist:beatles").map(\.id)
    switch action {
    case .renameAlbum:
      try await desk.edit(rows("album:=\"abbey road\"").map(\.id), [.set(.album, "Rue")])
    case .moveTrack:
      try await desk.edit(
        [beatles[0]], [.set(.album, "New"), .set(.albumArtist, "Others"), .set(.year, "1970")])
    case .editAll:
      try await desk.edit(
        rows("").map(\.id), [.replace(.title, find: "o", with: "0"), .set(.genre, "")])
    case .rate: try await desk.rate(rows("artist:björk").map(\.id), 5)
    case .deleteTracks: try await desk.deleteTracks(beatles)
    case .deleteAlbum:
      let id = try #require(try rows("album:debut").first?.albumID)
      try await desk.deleteAlbum(id)
    case .deleteArtist:
      let artists = try temporary.store.performBatchOperation { try LibraryLists.artists(in: $0) }
      let id = try #require(artists.first).id
      try await desk.deleteArtist(id)
    case .makePlaylist: try await desk.makePlaylist("Mix", tracks: beatles + beatles)
    case .addItems: try await desk.add([beatles[1], beatles[1]], toPlaylist: evening())
    case .moveItem: try await desk.move(from: 3, to: 0, inPlaylist: evening())
    case .removeItems: try await desk.remove(positions: [0, 2], fromPlaylist: evening())
    case .deletePlaylist: try await desk.deletePlaylist(evening())
    case .importTable:
      let path = try #require(try rows("taxman").first).filePath
      let table = CSVTable(rows: [["path", "title", "rating"], [path, "Tax", "3"]])
      _ = try await desk.importTable(table)
    case .repair:
      try temporary.store.performBatchOperation { context in
        let empty = Album(context: context)
        empty.retitle(to: "Empty")
        let request = NSFetchRequest<Track>(entityName: "Track")
        for track in try context.fetch(request) where track.title.contains("Blue") {
          track.fingerprint = "the same"
        }
      }
      try await desk.repair([.emptyAlbum, .albumWithoutArtist, .duplicateAudio])
    }
  }

  @Test(
    "another program undoes and repeats an action of each kind, and loses no value",
    arguments: Action.allCases.map(\.rawValue))
  func everyKind(_ name: String) async throws {
    let action = try #require(Action(rawValue: name))
    // The repair has its own damage.
    let damaged = action == .repair
    let before = try image()
    try await carryOut(action)
    let after = try image()
    #expect(after != before)
    let undone = try await otherDesk().undoRecorded()
    #expect(undone == name)
    let restored = try image()
    #expect(damaged || restored == before)
    #expect(try await otherDesk().redoRecorded() == name)
    #expect(try image() == after)
    #expect(try await otherDesk().undoRecorded() == name)
    #expect(try image() == restored)
    let nothing = await #expect(throws: KanoraError.self) { try await otherDesk().undoRecorded() }
    #expect(nothing?.code == .nothingToUndo)
  }

  @Test("actions of several programs are undone in the order in which they were carried out")
  func order() async throws {
    let ids = try rows("artist:björk").map(\.id)
    let before = try image()
    try await desk.rate(ids, 5)
    try await otherDesk().love(ids, true)
    try await desk.edit([ids[0]], [.set(.genre, "Pop")])
    let steps = try await otherDesk().recordedSteps()
    #expect(steps.undo.map(\.name) == ["Edit Track", "Love 2 Tracks", "Rate 2 Tracks"])
    #expect(steps.redo.isEmpty)
    // The undo of a running program takes its own last action.
    #expect(try await desk.undo() == "Edit Track")
    let other = try otherDesk()
    #expect(try await other.recordedSteps().undo.map(\.name) == ["Love 2 Tracks", "Rate 2 Tracks"])
    #expect(try await other.undoRecorded() == "Love 2 Tracks")
    #expect(try await other.undoRecorded() == "Rate 2 Tracks")
    #expect(try image() == before)
    let undone = ["Rate 2 Tracks", "Love 2 Tracks", "Edit Track"]
    #expect(try await other.recordedSteps().redo.map(\.name) == undone)
    #expect(try await other.redoRecorded() == "Rate 2 Tracks")
    // After another action, earlier actions cannot be repeated.
    try await other.rate(ids, 1)
    #expect(try await other.recordedSteps().redo.isEmpty)
    let error = await #expect(throws: KanoraError.self) { try await otherDesk().redoRecorded() }
    #expect(error?.code == .nothingToUndo)
  }

  @Test("an action whose values or objects have changed since is not undone, and nothing changes")
  func changedSince() async throws {
    let id = try #require(try rows("taxman").first).id
    try await desk.edit([id], [.set(.genre, "Web")])
    try temporary.store.performBatchOperation { context in
      let request = NSFetchRequest<Track>(entityName: "Track")
      request.predicate = NSPredicate(format: "id == %@", argumentArray: [id])
      try context.fetch(request).first?.genre = "Scanned"
    }
    let before = try image()
    let changed = await #expect(throws: KanoraError.self) { try await otherDesk().undoRecorded() }
    #expect(changed?.code == .changedElsewhere)
    #expect(try image() == before)
    // A new playlist that has since been filled outside the record is not deleted.
    let list = try await desk.makePlaylist("Mine")
    try temporary.store.performBatchOperation { context in
      let request = NSFetchRequest<Playlist>(entityName: "Playlist")
      request.predicate = NSPredicate(format: "id == %@", argumentArray: [list])
      let item = PlaylistItem(context: context)
      item.playlist = try context.fetch(request).first
      item.track = try context.fetch(NSFetchRequest<Track>(entityName: "Track")).first
    }
    let filled = await #expect(throws: KanoraError.self) { try await otherDesk().undoRecorded() }
    #expect(filled?.code == .changedElsewhere)
  }

  private var record: URL { URL(fileURLWithPath: "\(temporary.file.path).steps") }

  @Test("an action that was recorded but not saved, and an incomplete record, are passed over")
  func killed() async throws {
    let ids = try rows("artist:björk").map(\.id)
    let before = try image()
    try await desk.rate(ids, 4)
    let rated = try image()
    try temporary.query(
      "CREATE TRIGGER refuse BEFORE UPDATE ON ZTRACK BEGIN SELECT RAISE(ABORT, 'refused'); END;")
    await #expect(throws: (any Error).self) { try await desk.love(ids, true) }
    try temporary.query("DROP TRIGGER refuse;")
    #expect(try await otherDesk().recordedSteps().redo.map(\.name) == ["Love 2 Tracks"])
    // A program that is killed between the record and the save does not note that the save failed.
    let text = try String(contentsOf: record, encoding: .utf8)
    let note = try #require(text.range(of: "{\"undo\"", options: .backwards))
    try Data((text[..<note.lowerBound] + "{\"step\":\"6F9619FF").utf8).write(to: record)
    #expect(try image() == rated)
    #expect(try await otherDesk().undoRecorded() == "Rate 2 Tracks")
    #expect(try image() == before)
  }

  @Test(
    "an action with too many objects is reported, and no earlier action is undone instead of it")
  func large() async throws {
    let reported = Mutex<[String]>([])
    let desk = LibraryDesk(
      temporary.store, reportUnrecorded: { name in reported.withLock { $0.append(name) } })
    let ids = try rows("artist:björk").map(\.id)
    try await desk.rate(ids, 4)
    #expect(reported.withLock { $0 }.isEmpty)
    try await desk.makePlaylist(
      "Long", tracks: Array(repeating: ids, count: 2_600).flatMap { $0 })
    #expect(reported.withLock { $0 } == ["New Playlist"])
    let before = try image()
    let error = await #expect(throws: KanoraError.self) { try await otherDesk().undoRecorded() }
    #expect(error?.code == .nothingToUndo && error?.message.contains("New Playlist") == true)
    #expect(try image() == before)
    // The program that carried it out can undo it.
    #expect(try await desk.undo() == "New Playlist")
    #expect(try await otherDesk().undoRecorded() == "Rate 2 Tracks")
  }

  @Test("actions of a library that was reset cannot be undone in the new library")
  func reset() async throws {
    try await desk.deletePlaylist(evening())
    try temporary.store.reset()
    let other = try otherDesk()
    #expect(try await other.recordedSteps().undo.isEmpty)
    let nothing = await #expect(throws: KanoraError.self) { try await other.undoRecorded() }
    #expect(nothing?.code == .nothingToUndo)
    try await other.makePlaylist("Mix")
    #expect(try await otherDesk().recordedSteps().undo.map(\.name) == ["New Playlist"])
    #expect(try await otherDesk().undoRecorded() == "New Playlist")
  }

  @Test("a library in memory has no record")
  func memory() async throws {
    let desk = LibraryDesk(try KanoraStore(.inMemory))
    try await desk.makePlaylist("Mix")
    #expect(try await desk.recordedSteps().undo.isEmpty)
    let nothing = await #expect(throws: KanoraError.self) { try await desk.undoRecorded() }
    #expect(nothing?.code == .nothingToUndo)
    #expect(try await desk.undo() == "New Playlist")
  }
}
