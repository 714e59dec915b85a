import Foundation
import StoriesCore
import SwiftData
import Testing

/// Random sessions of one library in two windows, compared with a model of it in plain values.
@Suite("Random sessions of a library")
struct SessionTests {
  /// The number of sessions; 200 take some minutes.
  private static var sessionCount: Int {
    Int(ProcessInfo.processInfo.environment["STORIES_SESSIONS"] ?? "") ?? 2
  }

  private static var firstSeed: UInt64 {
    UInt64(ProcessInfo.processInfo.environment["STORIES_SESSION_SEED"] ?? "") ?? 1
  }

  @Test("after each step, the library equals the model")
  func sessions() async throws {
    for number in 0..<Self.sessionCount {
      try await run(seed: Self.firstSeed + UInt64(number))
    }
  }

  private func run(seed: UInt64) async throws {
    let trial = try TrialLibrary(onDisk: true, cached: true)
    let windows = [
      trial.library,
      try StoryLibrary(
        trial.store, cache: StoryCache(limit: 5, pressure: nil),
        cacheFolder: trial.folder.cacheFolder),
    ]
    var model = ModelLibrary()
    var numbers = SeededNumbers(seed)
    for step in 0..<60 {
      let window = windows[Int(numbers.next() % 2)]
      trial.clock.advance(TimeInterval(numbers.next() % 100_000))
      let what = try await act(on: window, &model, &numbers, trial.clock)
      let comment: Comment = "seed \(seed), step \(step): \(what)"
      let other = windows[Int(numbers.next() % 2)]
      try await compare(other, model, comment)
    }
    // Another program reads the saved library.
    let later = try StoryLibrary(StoriesStore(.file(trial.folder.file)))
    try await compare(later, model, "seed \(seed), at the end")
  }

  // MARK: Steps

  private func act(
    on library: StoryLibrary, _ model: inout ModelLibrary, _ numbers: inout SeededNumbers,
    _ clock: TrialClock
  ) async throws -> String {
    let story = model.stories.randomElement(using: &numbers)?.id
    let collection = model.collections.randomElement(using: &numbers)?.id
    switch (numbers.next() % 12, story, collection) {
    case (0...2, _, _), (_, nil, _):
      let title = "Story \(numbers.next() % 50)"
      let value = try await library.add(StoryText(title: title, content: "\(title). The end."))
      model.stories.append(.init(id: value.id, title: title))
      return "add"
    case (3, _, _), (_, _, nil):
      let name = "Collection \(numbers.next() % 50)"
      let value = try await library.addCollection(named: name)
      model.collections.append(.init(id: value.id, name: name))
      return "add collection"
    case (4...5, let id?, _):
      let outcome = try await library.finishReading(id)
      let earned = model.read(id, at: clock.now, in: clock.calendar)
      #expect(Set(outcome.earned.map(\.name)) == earned)
      #expect(outcome.streakDays == model.streak.days)
      return "read"
    case (6, let id?, _):
      let text = StoryText(try await library.story(id))
      var new = text
      new.title = "Edited \(numbers.next() % 50)"
      _ = try await library.edit(id, from: text, to: new)
      model.change(id) { $0.title = new.title }
      return "edit"
    case (7, let id?, _):
      let isFavorite = numbers.next() % 2 == 0
      try await library.setFavorite(isFavorite, id)
      model.change(id) { $0.isFavorite = isFavorite }
      return "favourite"
    case (8...9, let id?, let collection?):
      try await library.add([id], to: collection)
      model.add(id, to: collection)
      return "add to collection"
    case (10, let id?, let collection?):
      if numbers.next() % 2 == 0 {
        try await library.remove([id], from: collection)
        model.remove(id, from: collection)
        return "remove from collection"
      }
      try await library.deleteStories([id])
      model.delete([id])
      return "delete"
    case (_, _, let collection?):
      let isWithStories = numbers.next() % 3 == 0
      try await library.deleteCollection(collection, isWithStories ? .withStories : .keepingStories)
      model.deleteCollection(collection, withStories: isWithStories)
      return "delete collection \(isWithStories)"
    }
  }

  // MARK: Comparing

  private func compare(
    _ library: StoryLibrary, _ model: ModelLibrary, _ comment: Comment
  ) async throws {
    let rows = try await library.rows()
    #expect(
      Set(rows.map { "\($0.id) \($0.title) \($0.readCount) \($0.isFavorite)" })
        == Set(model.stories.map { "\($0.id) \($0.title) \($0.reads) \($0.isFavorite)" }), comment)
    #expect(rows.count == model.stories.count, comment)
    let collections = try await library.allCollections()
    #expect(
      collections.map(\.name).sorted() == model.collections.map(\.name).sorted(), comment)
    for collection in collections {
      let own = model.collections.first { $0.id == collection.id }
      #expect(own.map { Set($0.members) } == Set(collection.storyIDs), comment)
      #expect(own.map { model.progress($0) } == collection.progress, comment)
    }
    let achievements = try await library.earnedAchievements()
    #expect(Set(achievements.map(\.id)).count == achievements.count, comment)
    #expect(achievements.map(\.name).sorted() == model.earned.map(\.name).sorted(), comment)
    for story in model.stories.prefix(3) {
      #expect(
        try await eventually { try await library.story(story.id).title == story.title }, comment)
      #expect(
        try await eventually { try await library.story(story.id).readCount == story.reads }, comment
      )
    }
  }
}

/// A library in plain values.
private struct ModelLibrary {
  struct Story {
    let id: UUID
    var title: String
    var reads = 0
    var isFavorite = false
  }

  struct Collection {
    let id: UUID
    var name: String
    var members: Set<UUID> = []
  }

  struct Earned: Hashable {
    var key: String
    var name: String
  }

  var stories: [Story] = []
  var collections: [Collection] = []
  var earned: Set<Earned> = []
  var streak = ReadingStreak()

  mutating func change(_ id: UUID, _ edit: (inout Story) -> Void) {
    for index in stories.indices where stories[index].id == id { edit(&stories[index]) }
  }

  mutating func add(_ id: UUID, to collection: UUID) {
    for index in collections.indices where collections[index].id == collection {
      collections[index].members.insert(id)
    }
  }

  mutating func remove(_ id: UUID, from collection: UUID) {
    for index in collections.indices where collections[index].id == collection {
      collections[index].members.remove(id)
    }
  }

  mutating func delete(_ ids: Set<UUID>) {
    stories.removeAll { ids.contains($0.id) }
    for index in collections.indices { collections[index].members.subtract(ids) }
  }

  mutating func deleteCollection(_ id: UUID, withStories: Bool) {
    let members = collections.first { $0.id == id }?.members ?? []
    collections.removeAll { $0.id == id }
    if withStories { delete(members) }
  }

  func progress(_ collection: Collection) -> Double {
    if collection.members.isEmpty { return 0 }
    let read = stories.count { collection.members.contains($0.id) && $0.reads > 0 }
    return Double(read) / Double(collection.members.count)
  }

  /// - Returns: The names of the earned achievements.
  mutating func read(_ id: UUID, at instant: Date, in calendar: Calendar) -> Set<String> {
    change(id) { $0.reads += 1 }
    streak.noteReading(at: instant, in: calendar)
    var deserved = [Earned(key: "first", name: "First story")]
    for count in [10, 50] where streak.storiesRead >= count {
      deserved.append(Earned(key: "\(count)", name: "\(count) stories"))
    }
    for days in [3, 7] where streak.days >= days {
      deserved.append(Earned(key: "days \(days)", name: "\(days) days in a row"))
    }
    for collection in collections where collection.members.contains(id) && progress(collection) == 1
    {
      deserved.append(Earned(key: collection.id.uuidString, name: collection.name))
    }
    let new = deserved.filter { !earned.contains($0) }
    earned.formUnion(new)
    return Set(new.map(\.name))
  }
}
