import CoreData
import Foundation
import KanoraCore
import OpenPersistenceKit
import StoreSharing
import Testing

/// The query language of the search field.
@Suite("Library queries")
struct QueryTests {
  private let now = SampleLibrary.date.addingTimeInterval(10 * 86_400)

  @Test(
    "a typed query is parsed as a tree, and printed unchanged",
    arguments: [
      "artist:beatles album:\"abbey road\" year:1990..1999 -genre:rock rating:4.. unplayed",
      "notplayed:90d format:flac added:30d loved free text \"phrase of words\"",
      "a b OR c", "(a OR b) c", "-(a OR b)", "--x", "artist:=\"the beatles\"", "year:1969",
      "\"loved\"", "\"OR\"", "\"-x\"", "title:a:b", "\"a \\\"b\\\\\"", "((a b) c) d",
      "rating:..2 OR -missing",
    ])
  func roundTrip(_ text: String) throws {
    let query = try LibraryQuery(text)
    #expect(query.description == text)
    #expect(try LibraryQuery(query.description) == query)
  }

  @Test("other spellings have the same meaning")
  func spellings() throws {
    let pairs = [
      ("rating:>=4", "rating:4.."), ("rating:>4", "rating:5.."), ("rating:<4", "rating:..3"),
      ("rating:<=4", "rating:..4"), ("added:2w", "added:14d"), ("NOT a", "-a"),
      ("a AND b", "a b"), ("ARTIST:x", "artist:x"), ("year:=1969", "year:1969"),
      ("  a   b ", "a b"),
    ]
    for (one, other) in pairs { #expect(try LibraryQuery(one) == LibraryQuery(other), "\(one)") }
    #expect(try LibraryQuery("").root == .all([]))
    #expect(
      try LibraryQuery("a b OR c").root == .any([.all([.words("a"), .words("b")]), .words("c")]))
  }

  @Test(
    "an invalid query causes an error with a position",
    arguments: [
      ("\"abc", LibraryQueryError.Code.openQuotation, 0), ("a (b", .parenthesis, 2),
      ("a ) b", .parenthesis, 2), ("colour:red", .unknownField, 0), ("artist:", .missingValue, 7),
      ("year:abc", .badValue, 5), ("year:..", .badValue, 5), ("added:30", .badValue, 6),
      ("a OR", .missingValue, 4), ("OR a", .missingValue, 0), ("()", .missingValue, 1),
      ("year:99999999999999999999", .badValue, 5), ("NOT", .missingValue, 3),
      ("\"\"", .missingValue, 0), ("added:0d", .badValue, 6),
    ])
  func errors(_ text: String, _ code: LibraryQueryError.Code, _ position: Int) {
    let error = #expect(throws: LibraryQueryError.self) { try LibraryQuery(text) }
    #expect(error?.code == code)
    #expect(error?.position == position)
  }

  @Test("a too large query is rejected")
  func limits() {
    let texts = [
      String(repeating: "x", count: 5_000), String(repeating: "(", count: 1_000),
      String(repeating: "-", count: 1_000) + "x", String(repeating: "a ", count: 300),
    ]
    for text in texts {
      #expect(throws: LibraryQueryError.self) { try LibraryQuery(text) }
    }
  }

  @Test("any text is a query or an error, prints as it reads, and finds something or nothing")
  func hostileTexts() throws {
    let preview = try KanoraStore(.inMemory)
    let context = preview.newBackgroundContext()
    let pieces = [
      "artist:", "album:", "year:", "..", "1990", "-", "(", ")", "\"", "\\", "OR", "AND", "NOT",
      " ", "=", ">", "<", "loved", "ö", "e\u{301}", "\u{0}", "'", "%@", "%K", "$x", "*", "{}",
      "added:", "30d", "\u{202E}", "🎵", "format:", ":", "SELF", "\u{301}", "999999999999",
      "notplayed:", "\n", "\u{FEFF}", "rating:",
    ]
    var numbers = SeededNumbers(42)
    var read = 0
    for _ in 0..<4_000 {
      let count = Int.random(in: 1...9, using: &numbers)
      let text = (0..<count).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
      guard let query = try? LibraryQuery(text) else { continue }
      read += 1
      #expect(try LibraryQuery(query.description) == query, "\(text.debugDescription)")
      guard read % 20 == 0 else { continue }
      try context.performAndWait {
        _ = try LibraryLists.trackCount(TrackFilter(query: query), now: now, in: context)
      }
    }
    #expect(read > 500)
  }

  @Test("trees of any shape are printed so that they are read again")
  func randomTrees() throws {
    var numbers = SeededNumbers(7)
    for _ in 0..<500 {
      let node = Self.tree(depth: 3, &numbers)
      let query = try LibraryQuery(node)
      #expect(query.root == node)
      #expect(try LibraryQuery(query.description) == query, "\(query)")
    }
  }

  @Test(
    "the greatest numbers and periods are printed so that they are read again",
    arguments: [
      ("added:300y", "added:109500d"), ("notplayed:100000y", "notplayed:36500000d"),
      ("year:>1000000000", "year:1000000001.."), ("year:<-1000000000", "year:..-1000000001"),
    ])
  func greatestValues(_ typed: String, _ printed: String) throws {
    let query = try LibraryQuery(typed)
    #expect(query.description == printed)
    #expect(try LibraryQuery(printed) == query)
  }

  @Test(
    "a condition that no text can express is rejected",
    arguments: [
      .any([]), .all([.flag(.loved)]), .not(.all([])), .all([.flag(.loved), .any([])]),
      .words(""), .contains(.title, ""), .range(.year, .init(nil, nil)),
      .range(.year, .init(nil, 1_000_000_002)), .inTheLast(.added, days: 0),
      .notPlayed(days: 36_500_001), .any(Array(repeating: .flag(.loved), count: 300)),
    ] as [LibraryQuery.Node])
  func conditionsWithoutText(_ node: LibraryQuery.Node) {
    #expect(throws: LibraryQueryError.self) { try LibraryQuery(node) }
  }

  private static func tree(depth: Int, _ numbers: inout SeededNumbers) -> LibraryQuery.Node {
    let kind = Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &numbers)
    let text = ["a b", "ö\"x\\", "-x", "x:y", "loved", "OR"].randomElement(using: &numbers) ?? ""
    switch kind {
    case 0: return .words(text)
    case 1: return .contains(.artist, text)
    case 2: return .equals(.path, text)
    case 3: return .range(.year, .init(Int.random(in: 0...9, using: &numbers), nil))
    case 4: return .inTheLast(.played, days: 7)
    case 5: return .flag(.missing)
    case 6: return .not(tree(depth: depth - 1, &numbers))
    default:
      let nodes = (0..<Int.random(in: 2...3, using: &numbers)).map { _ in
        tree(depth: depth - 1, &numbers)
      }
      return kind == 7 ? .all(nodes) : .any(nodes)
    }
  }

  private func titles(_ text: String, _ store: KanoraStore) throws -> [String] {
    let context = store.newBackgroundContext()
    let query = try LibraryQuery(text)
    return try context.performAndWait {
      try LibraryLists.tracks(
        TrackFilter(query: query), by: .title, window: 0..<100, now: now, in: context
      ).map(\.title)
    }
  }

  @Test(
    "queries find the matching tracks, and their negations the rest, in a file and in memory",
    arguments: [true, false])
  func results(_ isInMemory: Bool) throws {
    let temporary = try TemporaryLibrary()
    let store = isInMemory ? try KanoraStore(.inMemory) : temporary.store
    try store.performBatchOperation { context in
      let library = try SampleLibrary.fill(context)
      let tracks = try context.fetch(NSFetchRequest<Track>(entityName: "Track"))
      for track in tracks where track.title == "Something" {
        (track.isLoved, track.year, track.genre) = (true, nil, nil)
      }
      for track in tracks where track.title == "So What" {
        track.artistName = "Cannonball Ådderley"
      }
      _ = library
    }
    let expected = [
      (
        "artist:beatles",
        ["Come Together", "Eleanor Rigby", "Here Comes the Sun", "Something", "Taxman"]
      ),
      ("artist:BJORK", ["Human Behaviour", "Venus as a Boy"]),
      ("artist:adderley", ["So What"]), ("albumartist:adderley", []),
      ("albumartist:=\"miles davis\" blue", ["All Blues", "Blue in Green", "So What"]),
      ("title:blue", ["All Blues", "Blue in Green"]),
      ("\"abbey road\" -loved", ["Come Together", "Here Comes the Sun"]),
      ("loved OR jazz", ["Something"]),
      ("loved OR genre:jazz", ["All Blues", "Blue in Green", "So What", "Something"]),
      ("year:1960..1969 track:2..", ["Eleanor Rigby", "Here Comes the Sun"]),
      ("added:8d -genre:electronic", ["All Blues", "Blue in Green", "So What"]),
      ("format:FLAC track:3", ["All Blues", "Here Comes the Sun"]),
      ("length:180 disc:1 genre:rock", ["Come Together", "Taxman"]),
      ("played:9d", ["All Blues", "Blue in Green", "Eleanor Rigby", "Venus as a Boy"]),
    ]
    for (text, wanted) in expected { #expect(try titles(text, store) == wanted, "\(text)") }
    let all = try titles("", store)
    #expect(all.count == 10)
    for (text, wanted) in expected {
      let opposite = try titles("-(\(text))", store)
      #expect(Set(opposite) == Set(all).subtracting(wanted), "\(text)")
    }
  }
}
