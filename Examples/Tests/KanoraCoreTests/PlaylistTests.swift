import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// Playlists in the user's order, and smart playlists with rules.
@Suite("Playlists")
struct PlaylistTests {
  private let temporary: TemporaryLibrary
  private let desk: LibraryDesk
  private let ids: [UUID]

  init() throws {
    temporary = try TemporaryLibrary()
    try temporary.fill(artists: 2, albums: 2, tracks: 5)
    desk = LibraryDesk(temporary.store, now: { SampleLibrary.date.addingTimeInterval(86_400) })
    let context = temporary.store.newBackgroundContext()
    ids = try context.performAndWait { try LibraryLists.trackIDs(in: context) }
  }

  private func items(_ id: UUID) throws -> [UUID] {
    let context = temporary.store.newBackgroundContext()
    return try context.performAndWait {
      let request = NSFetchRequest<PlaylistItem>(entityName: "PlaylistItem")
      request.predicate = NSPredicate(format: "playlist.id == %@", argumentArray: [id])
      let positions = try context.fetch(request).map(\.position).sorted()
      #expect(positions == (0..<Int32(positions.count)).map { $0 })
      return try LibraryLists.tracks(ofPlaylist: id, in: context).map(\.id)
    }
  }

  @Test("tracks are added at the end, removed without gaps and moved; duplicates are allowed")
  func order() async throws {
    let list = try await desk.makePlaylist("Mix", tracks: [ids[0], ids[1]])
    try await desk.add([ids[2], ids[0]], toPlaylist: list)
    #expect(try items(list) == [ids[0], ids[1], ids[2], ids[0]])
    try await desk.move(from: 3, to: 0, inPlaylist: list)
    #expect(try items(list) == [ids[0], ids[0], ids[1], ids[2]])
    try await desk.move(from: 0, to: 3, inPlaylist: list)
    #expect(try items(list) == [ids[0], ids[1], ids[2], ids[0]])
    try await desk.remove(positions: [0, 2], fromPlaylist: list)
    #expect(try items(list) == [ids[1], ids[0]])
    for _ in 0..<4 { try await desk.undo() }
    #expect(try items(list) == [ids[0], ids[1]])
    for _ in 0..<4 { try await desk.redo() }
    #expect(try items(list) == [ids[1], ids[0]])
    try await desk.renamePlaylist(list, to: " Other ")
    try await desk.deletePlaylist(list)
    #expect(try await desk.undo() == "Delete Playlist")
    #expect(try items(list) == [ids[1], ids[0]])
  }

  @Test("an item moves next to another item, whatever their positions are now")
  func places() async throws {
    let list = try await desk.makePlaylist("Mix", tracks: Array(ids[0..<4]))
    func entries() throws -> [PlaylistEntry] {
      try temporary.store.performBatchOperation {
        try LibraryLists.entries(ofPlaylist: list, in: $0)
      }
    }
    let all = try entries().map(\.id)
    try await desk.move(item: all[0], .after, item: all[2], inPlaylist: list)
    #expect(try items(list) == [ids[1], ids[2], ids[0], ids[3]])
    try await desk.move(item: all[3], .before, item: all[1], inPlaylist: list)
    #expect(try items(list) == [ids[3], ids[1], ids[2], ids[0]])
    #expect(try await desk.undo() == "Move in Playlist")
    #expect(try items(list) == [ids[1], ids[2], ids[0], ids[3]])
    let unchanged = await desk.steps()
    try await desk.move(item: all[1], .before, item: all[2], inPlaylist: list)
    try await desk.move(item: all[1], .after, item: all[1], inPlaylist: list)
    #expect(await desk.steps() == unchanged)
    for (one, other) in [(UUID(), all[0]), (all[0], UUID())] {
      let error = await #expect(throws: KanoraError.self) {
        try await desk.move(item: one, .after, item: other, inPlaylist: list)
      }
      #expect(error?.code == .notFound)
    }
    #expect(try items(list) == [ids[1], ids[2], ids[0], ids[3]])
  }

  @Test("invalid positions and blank names are rejected")
  func refusals() async throws {
    let list = try await desk.makePlaylist("Mix", tracks: [ids[0]])
    for position in [-1, 1, Int.max] {
      for work in [
        { try await desk.remove(positions: [position], fromPlaylist: list) },
        { try await desk.move(from: position, to: 0, inPlaylist: list) },
        { try await desk.move(from: 0, to: position, inPlaylist: list) },
      ] as [() async throws -> Void] {
        let error = await #expect(throws: KanoraError.self) { try await work() }
        #expect(error?.code == .badValue)
      }
    }
    for name in ["", " \n", String(repeating: "x", count: 600)] {
      let error = await #expect(throws: KanoraError.self) { try await desk.makePlaylist(name) }
      #expect(error?.code == .badValue)
    }
    #expect(try items(list) == [ids[0]])
  }

  @Test("rules are stored as JSON and read back")
  func ruleRoundTrip() throws {
    let texts = [
      "artist:x -genre:=\"rock\" (rating:4.. OR loved) year:1990..1999 added:30d notplayed:7d \"a b\"",
      "", "-(a OR -b)", "a b OR c", "year:..1970",
    ]
    for text in texts {
      let rules = SmartRules(
        try LibraryQuery(text), sort: .plays, isAscending: false, limit: 25)
      #expect(try SmartRules(rules.data()) == rules)
    }
    let json =
      #"{"rule":{"all":[{"is":{"genre":"rock"}},{"inRange":{"year":[1990,null]}},{"not":{"flag":"missing"}}]}}"#
    #expect(
      try SmartRules(Data(json.utf8)).query.root
        == .all([.equals(.genre, "rock"), .range(.year, .init(1990, nil)), .not(.flag(.missing))]))
    let one = #"{"rule":{"any":[{"all":[{"flag":"loved"}]}]}}"#
    #expect(try SmartRules(Data(one.utf8)).query.description == "loved")
  }

  @Test(
    "JSON that is no rule is an error",
    arguments: [
      "", "[]", "{}", "{\"rule\":1}", "{\"rule\":{}}", "{\"rule\":{\"all\":1}}",
      "{\"rule\":{\"flag\":\"x\"}}", "{\"rule\":{\"is\":{\"colour\":\"x\"}}}",
      "{\"rule\":{\"contains\":{\"title\":1}}}", "{\"rule\":{\"inRange\":{\"year\":[1]}}}",
      "{\"rule\":{\"inRange\":{\"year\":[1.5,2]}}}", "{\"rule\":{\"inTheLast\":{\"added\":0}}}",
      "{\"rule\":{\"inTheLast\":{\"added\":1e30}}}", "{\"rule\":{\"words\":\"\"}}",
      "{\"rule\":{\"flag\":\"loved\"},\"limit\":0}",
      "{\"rule\":{\"flag\":\"loved\"},\"sort\":\"x\"}",
      "{\"rule\":{\"flag\":\"loved\"},\"order\":1}", "{\"rule\":{\"flag\":\"loved\"},\"more\":1}",
      "{\"rule\":{\"flag\":\"loved\",\"words\":\"x\"}}", "{\"rule\":", "\u{0}",
      "{\"rule\":{\"any\":[]}}", "{\"rule\":{\"not\":{\"all\":[]}}}",
      "{\"rule\":{\"inRange\":{\"year\":[null,null]}}}",
    ])
  func badRules(_ json: String) {
    let error = #expect(throws: KanoraError.self) { try SmartRules(Data(json.utf8)) }
    #expect(error?.code == .badRules)
  }

  @Test("too deeply nested rules are rejected when they are read and when they are built")
  func deepRules() {
    let deep =
      String(repeating: "{\"not\":", count: 5_000) + "{\"flag\":\"loved\"}"
      + String(repeating: "}", count: 5_000)
    let error = #expect(throws: KanoraError.self) {
      try SmartRules(Data("{\"rule\":\(deep)}".utf8))
    }
    #expect(error?.code == .badRules)
    let node = (0..<40).reduce(LibraryQuery.Node.flag(.loved)) { node, _ in .not(node) }
    #expect(throws: LibraryQueryError.self) { try LibraryQuery(node) }
  }

  @Test("a smart playlist applies its rules, order and limit, also when tracks change")
  func smart() async throws {
    let rules = SmartRules(
      try LibraryQuery("rating:4.."), sort: .rating, isAscending: false, limit: 3)
    let list = try await desk.makeSmartPlaylist("Best", rules)
    let feed = LibraryFeed(StoreFeed(temporary.store)).tracks(ofPlaylist: list)
    #expect(try await feed.load().map(\.rating) == [5, 5, 5])
    var changes = feed.changes().makeAsyncIterator()
    try await desk.rate(ids, 0)
    while try await !feed.load().isEmpty { guard await changes.next() != nil else { break } }
    #expect(try await feed.load().isEmpty)
    let refused = await #expect(throws: KanoraError.self) {
      try await desk.add([ids[0]], toPlaylist: list)
    }
    #expect(refused?.code == .badValue)
    try await desk.undo()
    try await desk.setRules(SmartRules(try LibraryQuery("unrated")), of: list)
    let context = temporary.store.newBackgroundContext()
    try context.performAndWait {
      #expect(try LibraryLists.tracks(ofPlaylist: list, in: context).allSatisfy { $0.rating == 0 })
      let request = NSFetchRequest<Playlist>(entityName: "Playlist")
      let playlist = try #require(try context.fetch(request).first)
      playlist.smartCriteria = NSData(data: Data("{".utf8))
      let error = #expect(throws: KanoraError.self) {
        try LibraryLists.tracks(ofPlaylist: list, in: context)
      }
      #expect(error?.code == .badRules)
    }
  }
}
