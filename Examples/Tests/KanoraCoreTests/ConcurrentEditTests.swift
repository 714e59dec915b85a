import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Several programs edit one library.
@Suite("Edits by several programs")
struct ConcurrentEditTests {
  private let temporary: TemporaryLibrary
  private let desk: LibraryDesk

  init() throws {
    temporary = try TemporaryLibrary()
    try temporary.store.performBatchOperation { _ = try SampleLibrary.fill($0) }
    desk = LibraryDesk(temporary.store)
  }

  /// Returns a desk that shares only the file, as in another program.
  private func otherDesk() throws -> LibraryDesk {
    LibraryDesk(try KanoraStore.openExisting(temporary.file))
  }

  private func id(_ title: String) throws -> UUID { try row(title).id }

  private func row(_ title: String) throws -> TrackRow {
    let rows = try temporary.store.performBatchOperation {
      try LibraryLists.tracks(window: 0..<1_000, in: $0)
    }
    return try #require(rows.first { $0.title == title })
  }

  private func evening() throws -> UUID {
    let lists = try temporary.store.performBatchOperation { try LibraryLists.playlists(in: $0) }
    return try #require(lists.first { $0.name == "Evening" }).id
  }

  private func problems() throws -> [LibraryFinding] {
    let kinds = Set(LibraryFinding.Kind.allCases).subtracting([.missingFile])
    return try temporary.store.performBatchOperation {
      try LibraryCheck().findings(kinds, in: $0)
    }
  }

  @Test("an undo counts the tracks that another program has moved since")
  func undoneMove() async throws {
    try await desk.edit([try id("Come Together")], [.set(.album, "New")])
    try await otherDesk().edit([try id("Something")], [.set(.album, "Other")])
    #expect(try await desk.undo() == "Edit Track")
    #expect(try row("Come Together").album == "Abbey Road")
    #expect(try row("Something").album == "Other")
    #expect(try problems().isEmpty)
    #expect(try await desk.redo() == "Edit Track")
    #expect(try row("Come Together").album == "New")
    #expect(try problems().isEmpty)
  }

  @Test("an undo numbers the items that another program has added since")
  func undoneAddition() async throws {
    let list = try evening()
    try await desk.add([try id("Taxman")], toPlaylist: list)
    try await otherDesk().add([try id("So What"), try id("All Blues")], toPlaylist: list)
    try await desk.undo()
    let titles = try temporary.store.performBatchOperation {
      try LibraryLists.tracks(ofPlaylist: list, in: $0).map(\.title)
    }
    #expect(titles.count == 6 && titles.suffix(2) == ["So What", "All Blues"])
    // The playlist contained the track before.
    #expect(titles.filter { $0 == "Taxman" }.count == 1)
    #expect(try problems().isEmpty)
  }

  @Test("a step whose values another program has changed is neither undone nor redone")
  func changedSince() async throws {
    let id = try id("Taxman")
    let other = try otherDesk()
    try await desk.edit([id], [.set(.genre, "Web")])
    try await other.edit([id], [.set(.genre, "Terminal")])
    let undo = await #expect(throws: KanoraError.self) { try await desk.undo() }
    #expect(undo?.code == .changedElsewhere)
    #expect(try row("Taxman").genre == "Terminal")
    // The step can be undone when the value is the same again.
    try await other.edit([id], [.set(.genre, "Web")])
    #expect(try await desk.undo() == "Edit Track")
    #expect(try row("Taxman").genre == "Rock")
    try await other.edit([id], [.set(.genre, "Terminal")])
    let redo = await #expect(throws: KanoraError.self) { try await desk.redo() }
    #expect(redo?.code == .changedElsewhere)
    #expect(try row("Taxman").genre == "Terminal")
  }

  @Test("a new playlist that another program has filled is not removed by an undo")
  func filledSince() async throws {
    let list = try await desk.makePlaylist("Mine")
    try await otherDesk().add([try id("Taxman")], toPlaylist: list)
    let error = await #expect(throws: KanoraError.self) { try await desk.undo() }
    #expect(error?.code == .changedElsewhere)
    let count = try temporary.store.performBatchOperation {
      try LibraryLists.tracks(ofPlaylist: list, in: $0).count
    }
    #expect(count == 1)
  }

  @Test("an action includes what another program has changed since the last one")
  func staleTotals() async throws {
    try await desk.edit([try id("Come Together")], [.set(.genre, "Pop")])
    try await otherDesk().edit([try id("Something")], [.set(.album, "Other")])
    try await desk.edit([try id("Come Together")], [.set(.album, "Other")])
    #expect(try problems().isEmpty)
  }

  @Test("an edit that waits for its save includes what another program has changed in the meantime")
  func waitingEdit() async throws {
    let (one, two) = (try id("Come Together"), try id("Something"))
    let editing = TrackEditing([one], at: desk)
    try await editing.apply([.set(.album, "New")])
    try await editing.apply([.replace(.title, find: "Come", with: "Go")])
    let other = try otherDesk()
    try await other.edit([two], [.set(.album, "New")])
    try await other.edit([one], [.set(.title, "Come Back")])
    try await editing.save()
    let albums = try temporary.store.performBatchOperation { try LibraryLists.albums(in: $0) }
    #expect(albums.filter { $0.title == "New" }.map(\.trackCount) == [2])
    #expect(try row("Go Back").album == "New")
    #expect(try problems().isEmpty)
    #expect(await desk.steps().undoName == "Edit Track")
    // A saved edit has nothing left to save.
    try await desk.edit([one], [.set(.title, "Come Home")])
    try await editing.save()
    #expect(try row("Come Home").id == one)
  }

  @Test("a waiting edit whose track another program deletes is refused, and changes nothing")
  func deletedSince() async throws {
    let (one, two) = (try id("Come Together"), try id("Something"))
    let editing = TrackEditing([one, two], at: desk)
    try await editing.apply([.set(.genre, "Pop")])
    try await otherDesk().deleteTracks([two])
    let error = await #expect(throws: KanoraError.self) { try await editing.save() }
    #expect(error?.code == .notFound)
    #expect(try row("Come Together").genre == "Rock")
    #expect(await desk.steps().undoName == nil)
  }

  @Test("a preview shows the values that another program has saved")
  func currentPreview() async throws {
    let id = try id("Taxman")
    #expect(try await desk.preview([id], [.set(.genre, "Pop")]).map(\.old) == ["Rock"])
    try await otherDesk().edit([id], [.set(.genre, "Web")])
    #expect(try await desk.preview([id], [.set(.genre, "Pop")]).map(\.old) == ["Web"])
  }

  @Test("edits by several programs at the same time create an album once, with right totals")
  func parallel() async throws {
    let titles = [
      "Come Together", "Something", "Taxman", "Human Behaviour", "So What", "All Blues",
    ]
    let edits = try titles.map { (try otherDesk(), try id($0)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (desk, id) in edits {
        group.addTask {
          try await desk.edit([id], [.set(.album, "Same"), .set(.albumArtist, "Together")])
        }
      }
      try await group.waitForAll()
    }
    let counts = try temporary.store.performBatchOperation { context in
      let request = NSFetchRequest<Album>(entityName: "Album")
      request.predicate = NSPredicate(format: "title == 'Same'", argumentArray: [])
      return try context.fetch(request).map(\.trackCount)
    }
    #expect(counts == [6])
    #expect(try problems().isEmpty)
  }

  @Test("an edit can change the Unicode form of an accent")
  func unicodeForms() async throws {
    let id = try id("Taxman")
    func bytes() throws -> [UInt8] {
      try temporary.store.performBatchOperation { context in
        let request = NSFetchRequest<Track>(entityName: "Track")
        request.predicate = NSPredicate(format: "id == %@", argumentArray: [id])
        return try context.fetch(request).flatMap { Array($0.title.utf8) }
      }
    }
    let (decomposed, composed) = ("Cafe\u{301}", "Caf\u{E9}")
    try await desk.edit([id], [.set(.title, decomposed)])
    #expect(try bytes() == Array(decomposed.utf8))
    #expect(try await desk.edit([id], [.set(.title, composed)]).count == 1)
    #expect(try bytes() == Array(composed.utf8))
    #expect(try await desk.edit([id], [.set(.title, composed)]).isEmpty)
  }
}
