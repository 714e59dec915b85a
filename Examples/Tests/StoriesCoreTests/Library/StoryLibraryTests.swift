import Foundation
import StoriesCore
import SwiftData
import Testing

@Suite("Stories of a library")
struct StoryLibraryTests {
  private let trial: TrialLibrary
  private var library: StoryLibrary { trial.library }

  init() throws { trial = try TrialLibrary() }

  private func titles(_ change: (inout StoryQuery) -> Void = { _ in }) async throws -> [String] {
    var query = StoryQuery()
    change(&query)
    return try await library.rows(query).map(\.title)
  }

  @Test("a story has its text on numbered pages")
  func adding() async throws {
    let long = (1...60).map { "This is sentence number \($0)." }.joined(separator: " ")
    let story = try await library.add(
      StoryText(
        title: "Long", content: long, ageGroup: .nineToTwelve, theme: "sea", mainCharacter: "Ada"),
      childName: "Bo")
    let read = try await library.story(story.id)
    #expect(read == story)
    #expect(read.pages.map(\.number) == Array(1...read.pages.count))
    #expect(read.pages.count > 3)
    #expect(read.content == long)
    #expect((read.ageGroup, read.theme, read.mainCharacter) == (.nineToTwelve, "sea", "Ada"))
    #expect(read.childName == "Bo")
    #expect(read.createdAt == trial.clock.now)
  }

  @Test(
    "a story without a title or text is rejected, and nothing is stored",
    arguments: [
      StoryText(title: " \n", content: "Text."), StoryText(title: "Title", content: " \n "),
    ])
  func refusing(_ text: StoryText) async throws {
    let error = await #expect(throws: StoriesError.self) { try await library.add(text) }
    #expect(error?.code == .invalidValue)
    #expect(try await library.count() == 0)
  }

  @Test("lists are sorted by newest, oldest, title, reading and last reading")
  func orders() async throws {
    let ids = try await trial.add("b", "C", "a")
    for id in [ids[0], ids[0], ids[1]] {
      trial.clock.advance(60)
      _ = try await library.finishReading(id)
    }
    #expect(try await titles() == ["a", "C", "b"])
    #expect(try await titles { $0.order = .oldest } == ["b", "C", "a"])
    #expect(try await titles { $0.order = .title } == ["a", "b", "C"])
    #expect(try await titles { $0.order = .mostRead } == ["b", "C", "a"])
    #expect(try await titles { $0.order = .lastRead } == ["C", "b", "a"])
  }

  @Test("filters by words, favourite, theme, age and collection work together")
  func filters() async throws {
    let fox = try await library.add(
      StoryText(
        title: "The Fox", content: "Über den Wolken.", ageGroup: .threeToFive, theme: "wood",
        mainCharacter: "Rita"))
    trial.clock.advance(1)
    let owl = try await library.add(
      StoryText(title: "The Owl", content: "At night.", ageGroup: .allAges, theme: "wood"))
    trial.clock.advance(1)
    _ = try await library.add(StoryText(title: "The Sea", content: "A fox swims.", theme: "sea"))
    try await library.setFavorite(true, owl.id)
    try await library.setNotes("rita's favourite", owl.id)
    let collection = try await library.addCollection(named: "Night")
    try await library.add([owl.id], to: collection.id)
    #expect(try await titles { $0.search = "fox" } == ["The Sea", "The Fox"])
    #expect(try await titles { $0.search = "UBER" } == ["The Fox"])
    #expect(try await titles { $0.search = "RITA" } == ["The Owl", "The Fox"])
    #expect(try await titles { $0.search = "%" } == [])
    #expect(try await titles { $0.favoritesOnly = true } == ["The Owl"])
    #expect(try await titles { $0.theme = "wood" } == ["The Owl", "The Fox"])
    #expect(try await titles { $0.ageGroup = .threeToFive } == ["The Fox"])
    #expect(try await titles { $0.ageGroup = .allAges } == ["The Owl"])
    #expect(try await titles { $0.collectionID = collection.id } == ["The Owl"])
    #expect(
      try await titles {
        ($0.search, $0.theme, $0.collectionID) = ("night", "wood", collection.id)
        ($0.favoritesOnly, $0.ageGroup) = (true, .allAges)
      } == ["The Owl"])
    #expect(try await titles { ($0.search, $0.theme) = ("fox", "wood") } == ["The Fox"])
    #expect(try await library.themes().map { "\($0.theme) \($0.count)" } == ["sea 1", "wood 2"])
    _ = fox
  }

  @Test("a count ignores limit and offset; pages of a list are consecutive")
  func paging() async throws {
    try await trial.add("a", "b", "c", "d", "e")
    var query = StoryQuery()
    (query.offset, query.limit) = (2, 2)
    #expect(try await library.count(query) == 5)
    #expect(try await library.rows(query).map(\.title) == ["c", "b"])
  }

  @Test("an edited text reuses the existing pages; surplus pages are deleted")
  func editing() async throws {
    let long = (1...60).map { "This is sentence number \($0)." }.joined(separator: " ")
    let story = try await library.add(StoryText(title: "a", content: long))
    var text = StoryText(story)
    text.content = "Short now."
    text.title = "b"
    let edited = try await library.edit(story.id, from: StoryText(story), to: text)
    #expect(edited.pages.map(\.text) == ["Short now."])
    #expect(edited.pages[0].id == story.pages[0].id)
    #expect(try await library.story(story.id) == edited)
    #expect(try trial.store.usage().pages == 1)
    var longer = text
    longer.content = long
    let again = try await library.edit(story.id, from: text, to: longer)
    #expect(again.content == long)
    #expect(again.pages.count == story.pages.count)
  }

  @Test(
    "a stored text is the text that was written, also after an edit of the title",
    arguments: [
      String(repeating: "昔々あるところにおじいさんがいました。", count: 60),
      (1...60).map { "This is paragraph \($0)." }.joined(separator: "\n\n"),
    ])
  func unchangedText(_ text: String) async throws {
    let story = try await library.add(StoryText(title: "a", content: text))
    #expect(story.content == text)
    let former = StoryText(try await library.storedStory(story.id))
    var renamed = former
    renamed.title = "b"
    let edited = try await library.edit(story.id, from: former, to: renamed)
    #expect(edited.title == "b" && edited.content == text)
    #expect(edited.pages == story.pages)
    var longer = renamed
    longer.content = "\(text)\n\n\(text)"
    #expect(
      try await library.edit(story.id, from: renamed, to: longer).content == longer.content)
  }

  @Test("an edit based on another text is rejected, and the error contains the current text")
  func editConflict() async throws {
    let id = try await trial.add("a")[0]
    let began = StoryText(try await library.story(id))
    var (one, other) = (began, began)
    (one.title, other.title) = ("one", "other")
    _ = try await library.edit(id, from: began, to: one)
    let error = await #expect(throws: StoriesError.self) {
      try await library.edit(id, from: began, to: other)
    }
    #expect(error?.code == .changedElsewhere)
    #expect(error?.current?.title == "one")
    #expect(try await library.story(id).title == "one")
    // Saving the same twice, as when a form is sent again, is no conflict.
    _ = try await library.edit(id, from: began, to: one)
    _ = try await library.edit(id, from: one, to: other)
    #expect(try await library.story(id).title == "other")
  }

  @Test("favorites and notes are kept; an empty note is removed")
  func marking() async throws {
    let id = try await trial.add("a")[0]
    try await library.setFavorite(true, id)
    try await library.setNotes("Again!", id)
    #expect(try await library.story(id).isFavorite)
    #expect(try await library.story(id).notes == "Again!")
    try await library.setFavorite(false, id)
    try await library.setNotes("", id)
    #expect(try await !library.story(id).isFavorite)
    #expect(try await library.story(id).notes == nil)
  }

  @Test("missing objects are reported as missing")
  func missing() async throws {
    let id = UUID()
    let text = StoryText(title: "a", content: "A.")
    let calls: [@Sendable (StoryLibrary) async throws -> Void] = [
      { _ = try await $0.story(id) }, { try await $0.setFavorite(true, id) },
      { try await $0.setNotes("", id) }, { _ = try await $0.edit(id, from: text, to: text) },
      { _ = try await $0.finishReading(id) }, { try await $0.deleteStories([id]) },
      { _ = try await $0.collection(id) }, { try await $0.deleteCollection(id, .withStories) },
      { try await $0.add([], to: id) }, { _ = try await $0.question(beforeDeleting: id) },
    ]
    for call in calls {
      let error = await #expect(throws: StoriesError.self) { try await call(library) }
      #expect(error?.code == .notFound)
    }
  }

  @Test("deleting stories deletes their pages, or nothing if one is missing")
  func deleting() async throws {
    let ids = try await trial.add("a", "b", "c")
    await #expect(throws: StoriesError.self) { try await library.deleteStories([ids[0], UUID()]) }
    #expect(try await titles() == ["c", "b", "a"])
    try await library.deleteStories([ids[0], ids[2]])
    #expect(try await titles() == ["b"])
    #expect(try trial.store.usage().pages == 1)
  }
}
