import CoreData
import Foundation
import StoriesCore
import SwiftData
import Synchronization
import Testing

@Suite("Export and import")
struct StoryExchangeTests {
  private func filled() async throws -> TrialLibrary {
    let trial = try TrialLibrary()
    let ids = try await trial.add("One", "Two “quoted” \u{1F98A}", "Drei \\ /")
    let collection = try await trial.library.addCollection(
      named: "Some", descriptionText: "d", growthCategory: .feelings, targetAgeGroup: .allAges)
    try await trial.library.add([ids[0], ids[2]], to: collection.id)
    trial.clock.advance(0.123456789)
    _ = try await trial.library.finishReading(ids[0])
    try await trial.library.setNotes("line\nbreak", ids[1])
    try await trial.library.updateProfile {
      $0.childName = "Zoë"
      $0.interests = ["the sea"]
      $0.settings.darkMode = .dark
    }
    return trial
  }

  @Test("an exported and imported library is exported identically again")
  func roundTrip() async throws {
    let trial = try await filled()
    let data = try await StoryExchange(trial.store).export()
    let other = try TrialLibrary(onDisk: true)
    let exchange = StoryExchange(other.store)
    let report = try await exchange.importLibrary(data)
    #expect(report == ImportReport(added: 3, replaced: 0, collections: 1, achievements: 1))
    #expect(try await exchange.export() == data)
    #expect(
      try await exchange.importLibrary(data)
        == ImportReport(added: 0, replaced: 3, collections: 1, achievements: 0))
    #expect(try await exchange.export() == data)
    #expect(try await other.library.rows() == trial.library.rows())
    #expect(try await other.library.profile() == trial.library.profile())
    #expect(try other.store.usage().pages == 3)
  }

  @Test("changes by other programs wait while an export reads the library")
  func exportTurn() async throws {
    let folder = try TrialFolder()
    let path = "\(folder.file.path).turn"
    let states = Mutex<[Bool]>([])
    var options = StoriesStore.Options()
    options.statementObserver = StatementObserver { statement in
      guard statement.contains("ZSTORYCOLLECTION") else { return }
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      defer { close(descriptor) }
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) != 0
      states.withLock { $0.append(isLocked) }
    }
    let store = try StoriesStore(.file(folder.file), options: options)
    // The first change creates the file of the lock.
    _ = try await StoryLibrary(store).add(StoryText(title: "One", content: "One."))
    states.withLock { $0 = [] }
    _ = try await StoryExchange(store).export()
    let found = states.withLock { $0 }
    #expect(!found.isEmpty && found.allSatisfy { $0 })
  }

  @Test("an import replaces a blank profile, and keeps and reports any other one")
  func profiles() async throws {
    let data = try await StoryExchange(filled().store).export()
    let other = try TrialLibrary()
    let exchange = StoryExchange(other.store)
    // What the commands and pages create before the child's data is entered.
    #expect(try await other.library.profile().childName == "")
    #expect(try await !exchange.importLibrary(data).keptProfile)
    #expect(try await exchange.export() == data)
    try await StoryLibrary(other.store).updateProfile { $0.childName = "Bo" }
    #expect(try await StoryExchange(other.store).importLibrary(data).keptProfile)
    #expect(try await StoryExchange(other.store).export() != data)
    let reader = try StoryLibrary(other.store)
    #expect(try await reader.profile().childName == "Bo")
    #expect(try await reader.profile().streak.storiesRead == 1)
  }

  @Test("a profile with reading days is not blank")
  func readingDays() async throws {
    let data = try await StoryExchange(filled().store).export()
    let other = try TrialLibrary()
    let id = try await other.add("Own")[0]
    _ = try await other.library.finishReading(id)
    #expect(try await StoryExchange(other.store).importLibrary(data).keptProfile)
    #expect(try await StoryLibrary(other.store).profile().childName == "")
  }

  @Test("an import replaces stories with the same ids, and keeps all others")
  func merging() async throws {
    let trial = try await filled()
    let exchange = StoryExchange(trial.store)
    let data = try await exchange.export()
    let own = try await trial.add("Own")[0]
    let first = try #require(try await trial.library.rows().last)
    let text = StoryText(try await trial.library.story(first.id))
    _ = try await trial.library.edit(first.id, from: text, to: StoryText(title: "x", content: "x."))
    _ = try await exchange.importLibrary(data)
    #expect(try await trial.library.count() == 4)
    #expect(try await trial.library.story(own).title == "Own")
    #expect(try await eventually { try await trial.library.story(first.id).title == "One" })
  }

  @Test(
    "a story whose pages have the ids of another story's pages gets new pages; the other keeps its pages",
    arguments: [false, true])
  func pagesOfAnotherStory(onDisk: Bool) async throws {
    let trial = try TrialLibrary(onDisk: onDisk)
    let id = try await trial.add("One")[0]
    let original = try await trial.library.story(id)
    let exchange = StoryExchange(trial.store)
    let otherID = UUID()
    let file = Data(
      String(decoding: try await exchange.export(), as: UTF8.self)
        .replacingOccurrences(of: id.uuidString, with: otherID.uuidString)
        .replacingOccurrences(of: "\"One\"", with: "\"Copy\"").utf8)
    #expect(try await exchange.importLibrary(file).added == 1)
    // A new library has none of the objects that were read before the import.
    let reader = try StoryLibrary(trial.store, cache: StoryCache(pressure: nil))
    #expect(try await reader.story(id) == original)
    let other = try await reader.story(otherID)
    #expect(other.title == "Copy" && other.content == original.content)
    #expect(Set(other.pages.map(\.id)).isDisjoint(with: original.pages.map(\.id)))
    #expect(try trial.store.usage().pages == 2)
    let both = try await exchange.export()
    #expect(try await exchange.importLibrary(file).replaced == 1)
    #expect(try await exchange.export() == both)
  }

  static let former = """
    {"format": "magical-stories", "version": 1,
     "stories": [
      {"id": "00000000-0000-0000-0000-000000000001", "title": "Old", "content": "First. Second.", "createdAt": 1, "ageGroup": 0,
       "readCount": 2, "isFavorite": true, "theme": "sea", "mainCharacter": "Ada", "isGrowthPathStory": true},
      {"id": "00000000-0000-0000-0000-000000000001", "title": "Old", "content": "First. Second.", "createdAt": 2},
      {"id": "00000000-0000-0000-0000-000000000001", "title": "Old", "content": "Other.", "createdAt": 3}],
     "collections": [{"id": "00000000-0000-0000-0000-000000000002", "name": "C", "createdAt": 1, "description": "About",
       "storyIDs": ["00000000-0000-0000-0000-000000000001"]}]}
    """

  @Test("a file of the first version is read: texts become pages, duplicates are merged")
  func firstVersion() async throws {
    let trial = try TrialLibrary()
    let exchange = StoryExchange(trial.store)
    let report = try await exchange.importLibrary(Data(Self.former.utf8))
    #expect(report == ImportReport(added: 2, replaced: 0, collections: 1, achievements: 0))
    let rows = try await trial.library.rows()
    let stories = try await [trial.library.story(rows[0].id), trial.library.story(rows[1].id)]
    #expect(stories.map(\.content) == ["Other.", "First. Second."])
    #expect(
      (stories[1].ageGroup, stories[1].readCount, stories[1].isFavorite) == (.threeToFive, 2, true))
    let collections = try await trial.library.allCollections()
    #expect(collections.map(\.descriptionText) == ["About"])
    #expect(collections.map(\.progress) == [1])
    #expect(try await exchange.importLibrary(Data(Self.former.utf8)).replaced == 2)
    #expect(try await trial.library.count() == 2)
  }

  @Test("duplicates in a file of the first version keep their notes, counts, marks and stories")
  func formerDuplicates() async throws {
    let ids = (1...3).map { "00000000-0000-0000-0000-00000000000\($0)" }
    func object(_ id: String, _ fields: String) -> String { "{\"id\": \"\(id)\", \(fields)}" }
    let stories = [
      object(
        ids[0],
        #""title": "Old", "content": "1.", "createdAt": 1, "readCount": 2, "notes": "a""#),
      object(
        ids[0],
        #""title": "Old", "content": "1.", "createdAt": 2, "readCount": 5, "notes": "b", "#
          + #""isFavorite": true, "lastReadAt": 9, "childName": "Bo""#),
      object(ids[0], #""title": "Old", "content": "2.", "createdAt": 3"#),
      object(ids[0], #""title": "Old", "content": "2.", "createdAt": 4, "notes": "c""#),
      object(ids[1], #""title": "Old", "content": " ", "createdAt": 5"#),
    ].joined(separator: ", ")
    let collections = [
      object(ids[2], #""name": "C", "createdAt": 1, "storyIDs": ["\#(ids[0])"]"#),
      object(
        ids[2],
        #""name": "C", "createdAt": 2, "description": "About", "#
          + #""storyIDs": ["\#(ids[0])", "\#(ids[1])"]"#),
      object(ids[2], #""name": "D", "createdAt": 3"#),
    ].joined(separator: ", ")
    let file = """
      {"format": "magical-stories", "version": 1, "stories": [\(stories)], "collections": [\(collections)]}
      """
    let trial = try TrialLibrary()
    let exchange = StoryExchange(trial.store)
    for isAgain in [false, true] {
      let report = try await exchange.importLibrary(Data(file.utf8))
      #expect(report.added == (isAgain ? 0 : 3) && report.replaced == (isAgain ? 3 : 0))
      let rows = try await Array(trial.library.rows().reversed())
      #expect(rows.map(\.readCount) == [5, 0, 0])
      #expect(rows.map(\.notes) == ["a\nb", "c", nil])
      #expect(rows[0].isFavorite && rows[0].childName == "Bo")
      #expect(rows[0].lastReadAt == Date(timeIntervalSinceReferenceDate: 9))
      let collections = try await trial.library.allCollections()
      #expect(collections.map(\.name) == ["D", "C"])
      #expect(collections[1].storyIDs.map(\.uuidString) == [ids[0], ids[1]])
      #expect(collections[1].descriptionText == "About")
    }
  }

  @Test("a library with blank titles, texts and names is exported and imported")
  func blankTexts() async throws {
    let trial = try TrialLibrary()
    let context = ModelContext(trial.store.container)
    context.insert(Story(title: " ", content: "", createdAt: trial.clock.now))
    context.insert(StoryCollection(name: "", createdAt: trial.clock.now))
    try context.save()
    let data = try await StoryExchange(trial.store).export()
    let other = StoryExchange(try TrialLibrary().store)
    #expect(try await other.importLibrary(data).added == 1)
    #expect(try await other.export() == data)
  }

  @Test("a too large file is rejected without reading it completely")
  func largeFile() async throws {
    let trial = try TrialLibrary()
    let data = try StoryExchange.content(of: URL(fileURLWithPath: "/dev/zero"))
    let error = await #expect(throws: StoriesError.self) {
      try await StoryExchange(trial.store).importLibrary(data)
    }
    #expect(error?.code == .invalidImport)
    // There is no such file, and the other path is a folder.
    for url in [trial.folder.file, trial.folder.url] {
      let error = #expect(throws: StoriesError.self) { try StoryExchange.content(of: url) }
      #expect(error?.code == .unreadableImport)
      #expect(error?.description.hasPrefix("\(url.path): ") == true)
    }
  }

  @Test("a library that is too large for an import is not exported")
  func largeLibrary() async throws {
    let trial = try await filled()
    let exchange = StoryExchange(trial.store)
    let data = try await exchange.export()
    #expect(try await exchange.export(upTo: data.count) == data)
    let error = await #expect(throws: StoriesError.self) {
      try await exchange.export(upTo: data.count - 1)
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.contains("Use a backup") == true)
  }

  @Test("a text in a file of the first version keeps its paragraphs")
  func formerParagraphs() async throws {
    let paragraphs = (1...60).map { "This is paragraph \($0)." }
    let id = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    let file = """
      {"format": "magical-stories", "version": 1, "stories": [{"id": "\(id.uuidString)", "title": "Old",
        "content": "\(paragraphs.joined(separator: "\\n\\n"))", "createdAt": 1}]}
      """
    let trial = try TrialLibrary()
    _ = try await StoryExchange(trial.store).importLibrary(Data(file.utf8))
    let story = try await trial.library.story(id)
    #expect(story.content == paragraphs.joined(separator: "\n\n"))
    #expect(story.pages.count > 2)
  }

  /// A file with one story, some of whose fields are other ones.
  private static func story(_ fields: [String: String]) -> String {
    let usual = [
      "id": "\"00000000-0000-0000-0000-000000000001\"", "title": "\"T\"", "createdAt": "0",
      "ageGroup": "0", "theme": "\"\"", "mainCharacter": "\"\"", "readCount": "0",
      "isFavorite": "false", "pages": pages(1, "AA"),
    ]
    let text = usual.merging(fields) { $1 }.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
    return
      "{\"format\": \"magical-stories\", \"version\": 2, \"collections\": [], \"achievements\": [], \"stories\": [{\(text)}]}"
  }

  private static func pages(_ number: Int, _ id: String) -> String {
    "[{\"id\": \"00000000-0000-0000-0000-0000000000\(id)\", \"number\": \(number), \"text\": \"t\", \"illustrationStatus\": \"none\"}]"
  }

  /// A file with one story and a profile, some of whose fields are other ones.
  private static func profile(
    _ fields: [String: String] = [:], streak counts: [String: String] = [:]
  ) -> String {
    let streak = ["storiesRead": "3", "days": "2", "longest": "2", "lastDay": "20000"]
    let usual = [
      "id": "\"00000000-0000-0000-0000-0000000000DD\"", "createdAt": "0", "childName": "\"Bo\"",
      "interests": "[]", "preferredThemes": "[]", "favoriteCharacters": "[]",
      "settings": "{\"usesTextToSpeech\": false, \"darkMode\": \"system\"}",
      "streak": object(streak.merging(counts) { $1 }),
    ]
    return story([:]).replacingOccurrences(
      of: "\"collections\": []",
      with: "\"collections\": [], \"profile\": \(object(usual.merging(fields) { $1 }))")
  }

  private static func object(_ fields: [String: String]) -> String {
    let text = fields.map { "\"\($0)\": \($1)" }.joined(separator: ", ")
    return "{\(text)}"
  }

  @Test("the files on which hostile files are based are valid")
  func base() async throws {
    for text in [Self.story([:]), Self.profile()] {
      let trial = try TrialLibrary()
      let data = Data(text.utf8)
      #expect(try await StoryExchange(trial.store).importLibrary(data).added == 1)
    }
    let trial = try TrialLibrary()
    _ = try await StoryExchange(trial.store).importLibrary(Data(Self.profile().utf8))
    #expect(try await trial.library.profile().streak.lastDay == 20_000)
  }

  static let hostile = [
    "", "{", "[]", "null", "{\"format\": \"other\", \"version\": 2}", "\u{0}\u{1}",
    "{\"format\": \"magical-stories\"}",
    "{\"format\": \"magical-stories\", \"version\": 3}",
    "{\"format\": \"magical-stories\", \"version\": 1e400}",
    String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
    "{\"format\": \"magical-stories\", \"version\": 1, \"stories\": [{\"id\": \"x\"}]}",
    "{\"format\": \"magical-stories\", \"version\": 2, \"stories\": 5}",
    story(["ageGroup": "99"]), story(["readCount": "-1"]),
    story(["readCount": "99999999999999999999"]),
    story(["createdAt": "1e300"]),
    story(["createdAt": "\"yesterday\""]), story(["lastReadAt": "-1e13"]), story(["id": "\"1\""]),
    story(["pages": pages(2, "AA")]), story(["pages": pages(1, "01")]), story(["theme": "null"]),
    story([:]).replacingOccurrences(
      of: "\"collections\": []",
      with:
        "\"collections\": [{\"id\": \"00000000-0000-0000-0000-0000000000BB\", \"name\": \"c\", \"createdAt\": 0, \"progress\": 0, \"storyIDs\": [\"00000000-0000-0000-0000-0000000000CC\"]}]"
    ),
  ]

  static let hostileProfiles = [
    profile(["createdAt": "1e300"]), profile(["dateOfBirth": "-1e13"]), profile(["streak": "null"]),
    profile(streak: ["storiesRead": "-1"]), profile(streak: ["days": "-1"]),
    profile(streak: ["longest": "-1"]), profile(streak: ["days": "99999999999999999999"]),
    profile(streak: ["lastDay": "\(Int.max)"]), profile(streak: ["lastDay": "\(Int.min)"]),
  ]

  @Test(
    "a file that is not a library is a typed error, and nothing of it is imported",
    arguments: hostile + hostileProfiles)
  func hostileFiles(_ text: String) async throws {
    let trial = try TrialLibrary()
    try await trial.add("kept")
    let error = await #expect(throws: StoriesError.self, "\(text.prefix(200))") {
      try await StoryExchange(trial.store).importLibrary(Data(text.utf8))
    }
    #expect(error?.code == .invalidImport)
    #expect(try await trial.library.rows().map(\.title) == ["kept"])
    #expect(trial.store.log.entries().first?.failure != nil)
  }

  @Test("a randomly changed file is imported completely or rejected")
  func mutations() async throws {
    let trial = try await filled()
    let exchange = StoryExchange(trial.store)
    let data = try await exchange.export()
    var numbers = SeededNumbers(11)
    for round in 0..<12 {
      var bytes = Array(data)
      for _ in 0...(numbers.next() % 3) {
        let place = Int(numbers.next() % UInt64(bytes.count))
        switch numbers.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: numbers.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: bytes[place..<min(place + 7, bytes.count)], at: place)
        }
      }
      let other = try TrialLibrary()
      do {
        let report = try await StoryExchange(other.store).importLibrary(Data(bytes))
        #expect(try await other.library.count() == report.added, "round \(round)")
      } catch let error as StoriesError {
        #expect(error.code == .invalidImport, "round \(round): \(error)")
        #expect(try await other.library.count() == 0, "round \(round)")
        #expect(try other.store.usage().collections == 0, "round \(round)")
      }
    }
  }

  @Test("an existing achievement is not duplicated; unknown ids stay unchanged")
  func idempotence() async throws {
    let trial = try await filled()
    let exchange = StoryExchange(trial.store)
    let data = try await exchange.export()
    for _ in 1...3 { _ = try await exchange.importLibrary(data) }
    #expect(try await trial.library.earnedAchievements().count == 1)
    #expect(try await exchange.export() == data)
  }
}
