import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Random sessions of a user, compared with a simple model of plain values.
///
/// `KANORA_SESSIONS` sets how many there are (20), `KANORA_SESSION_SEED` the first seed.
@Suite("User sessions")
struct SessionTests {
  private struct Song: Equatable {
    var title: String
    var genre: String
    var number: Int
    var rating: Int
    var isLoved: Bool
    var album: String
    var artist: String
  }

  private struct Model: Equatable {
    var songs: [UUID: Song] = [:]
    var lists: [UUID: [UUID]] = [:]
  }

  /// A session: the library, and the model with its past and future.
  private struct Session {
    let store: KanoraStore
    let desk: LibraryDesk
    var model = Model()
    var past: [Model] = []
    var future: [Model] = []
    var numbers: SeededNumbers

    mutating func change(_ body: (inout Model) -> Void) {
      let before = model
      body(&model)
      if model == before { return }
      past.append(before)
      future = []
    }

    mutating func pick(_ count: Int) -> [UUID] {
      let ids = model.songs.keys.sorted { $0.uuidString < $1.uuidString }
      return Array(ids.shuffled(using: &numbers).prefix(count))
    }

    mutating func step() async throws {
      switch Int.random(in: 0..<14, using: &numbers) {
      case 0, 1, 2: try await edit()
      case 3: try await rate()
      case 4: try await love()
      case 5: try await delete()
      case 6: try await makeList()
      case 7, 8: try await changeList()
      case 9: try await deleteList()
      case 10: try await fail()
      case 11, 12: try await undo()
      default: try await redo()
      }
    }

    private mutating func edit() async throws {
      let ids = pick(Int.random(in: 1...4, using: &numbers))
      guard !ids.isEmpty else { return }
      let editing = TrackEditing(ids, at: desk)
      let word = ["one", "two", "three"].randomElement(using: &numbers) ?? ""
      let kind = Int.random(in: 0..<6, using: &numbers)
      let change: TrackChange =
        switch kind {
        case 0: .set(.title, word)
        case 1: .set(.genre, word)
        case 2: .replace(.title, find: "o", with: "oo")
        case 3: .number(from: 1)
        case 4: .set(.album, word)
        default: .set(.albumArtist, word)
        }
      try await editing.apply([change])
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        await editing.cancel()
        return
      }
      try await editing.save()
      self.change { model in
        for (index, id) in ids.enumerated() {
          guard var song = model.songs[id] else { continue }
          switch kind {
          case 0: song.title = word
          case 1: song.genre = word
          case 2: song.title = song.title.replacingOccurrences(of: "o", with: "oo")
          case 3: song.number = index + 1
          case 4: song.album = word
          default: song.artist = word
          }
          model.songs[id] = song
        }
      }
    }

    private mutating func rate() async throws {
      let (ids, rating) = (pick(3), Int.random(in: 0...5, using: &numbers))
      try await desk.rate(ids, rating)
      change { model in for id in ids { model.songs[id]?.rating = rating } }
    }

    private mutating func love() async throws {
      let (ids, isLoved) = (pick(2), Bool.random(using: &numbers))
      try await desk.love(ids, isLoved)
      change { model in for id in ids { model.songs[id]?.isLoved = isLoved } }
    }

    private mutating func delete() async throws {
      let ids = pick(1)
      guard model.songs.count > 4 else { return }
      try await desk.deleteTracks(ids)
      change { model in
        for id in ids { model.songs[id] = nil }
        model.lists = model.lists.mapValues { $0.filter { !ids.contains($0) } }
      }
    }

    private mutating func makeList() async throws {
      let ids = pick(3)
      let list = try await desk.makePlaylist("List", tracks: ids)
      change { $0.lists[list] = ids }
    }

    private mutating func list() -> UUID? {
      model.lists.keys.sorted { $0.uuidString < $1.uuidString }.randomElement(using: &numbers)
    }

    private mutating func changeList() async throws {
      guard let list = list(), let items = model.lists[list] else { return }
      switch Int.random(in: 0..<3, using: &numbers) {
      case 0:
        let ids = pick(2)
        try await desk.add(ids + ids.prefix(1), toPlaylist: list)
        if !ids.isEmpty { change { $0.lists[list] = items + ids + ids.prefix(1) } }
      case 1 where !items.isEmpty:
        let position = Int.random(in: 0..<items.count, using: &numbers)
        try await desk.remove(positions: [position], fromPlaylist: list)
        change { $0.lists[list]?.remove(at: position) }
      case 2 where !items.isEmpty:
        let (from, to) = (
          Int.random(in: 0..<items.count, using: &numbers),
          Int.random(in: 0..<items.count, using: &numbers)
        )
        // Equal tracks at different positions are different items: moving them is a step that the model cannot see.
        guard from != to, Set(items).count == items.count else { return }
        try await desk.move(from: from, to: to, inPlaylist: list)
        change { model in
          let id = model.lists[list]?.remove(at: from)
          if let id { model.lists[list]?.insert(id, at: to) }
        }
      default: break
      }
    }

    private mutating func deleteList() async throws {
      guard model.lists.count > 1, let list = list() else { return }
      try await desk.deletePlaylist(list)
      change { $0.lists[list] = nil }
    }

    /// A rejected change is not a step.
    private mutating func fail() async throws {
      let ids = pick(2)
      await #expect(throws: KanoraError.self) {
        try await desk.edit(ids + [UUID()], [.set(.genre, "never")])
      }
      await #expect(throws: KanoraError.self) { try await desk.rate(ids, 9) }
    }

    private mutating func undo() async throws {
      if let before = past.popLast() {
        future.append(model)
        model = before
        try await desk.undo()
      } else {
        await #expect(throws: KanoraError.self) { try await desk.undo() }
      }
    }

    private mutating func redo() async throws {
      if let after = future.popLast() {
        past.append(model)
        model = after
        try await desk.redo()
      } else {
        await #expect(throws: KanoraError.self) { try await desk.redo() }
      }
    }

    /// What another context reads.
    func stored() throws -> Model {
      let context = store.newBackgroundContext()
      return try context.performAndWait {
        var model = Model()
        for track in try context.fetch(NSFetchRequest<Track>(entityName: "Track")) {
          model.songs[track.id] = Song(
            title: track.title, genre: track.genre ?? "", number: Int(track.trackNumber ?? 0),
            rating: Int(track.rating), isLoved: track.isLoved, album: track.album?.title ?? "",
            artist: track.album?.artist?.name ?? "")
        }
        for list in try context.fetch(NSFetchRequest<Playlist>(entityName: "Playlist")) {
          model.lists[list.id] = list.orderedItems.compactMap { $0.track?.id }
        }
        let kinds = Set(LibraryFinding.Kind.allCases).subtracting([.duplicateAudio])
        #expect(try LibraryCheck().findings(kinds, in: context).isEmpty)
        return model
      }
    }
  }

  private static func number(_ name: String, _ fallback: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? fallback
  }

  @Test("a user's changes, undo and redo agree with a simple model")
  func sessions() async throws {
    let first = Self.number("KANORA_SESSION_SEED", 1)
    for seed in first..<(first + Self.number("KANORA_SESSIONS", 20)) {
      let store = try KanoraStore(.inMemory)
      let file = seed % 4 == 0 ? try TemporaryLibrary() : nil
      let used = file?.store ?? store
      try used.performBatchOperation { _ = try SampleLibrary.fill($0) }
      var session = Session(
        store: used, desk: LibraryDesk(used, now: { SampleLibrary.date }),
        numbers: SeededNumbers(UInt64(seed)))
      session.model = try session.stored()
      for step in 0..<40 {
        try await session.step()
        let stored = try session.stored()
        guard stored == session.model else {
          Issue.record("seed \(seed), step \(step): \(stored) is not \(session.model)")
          break
        }
      }
    }
  }
}
