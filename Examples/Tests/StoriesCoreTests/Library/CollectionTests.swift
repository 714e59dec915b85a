import Foundation
import StoriesCore
import SwiftData
import Testing

@Suite("Collections and achievements")
struct CollectionTests {
  private let trial: TrialLibrary
  private var library: StoryLibrary { trial.library }

  init() throws { trial = try TrialLibrary() }

  private func progress(_ id: UUID) async throws -> Double {
    try await library.collection(id).progress
  }

  @Test("progress is the share of stories that were read at least once, regardless of changes")
  func progress() async throws {
    let ids = try await trial.add("a", "b", "c", "d")
    let collection = try await library.addCollection(
      named: "Four", descriptionText: "All of them", growthCategory: .courage,
      targetAgeGroup: .allAges
    ).id
    #expect(try await progress(collection) == 0)
    try await library.add([ids[0], ids[1]], to: collection)
    _ = try await library.finishReading(ids[0])
    _ = try await library.finishReading(ids[0])
    #expect(try await progress(collection) == 0.5)
    try await library.add([ids[2], ids[3], ids[0]], to: collection)
    #expect(try await progress(collection) == 0.25)
    #expect(try await library.collection(collection).storyIDs == ids)
    try await library.remove([ids[1]], from: collection)
    #expect(try await progress(collection) == 1.0 / 3)
    try await library.deleteStories([ids[2]])
    #expect(try await progress(collection) == 0.5)
    try await library.renameCollection(collection, to: "Two")
    let value = try await library.collection(collection)
    #expect((value.name, value.descriptionText) == ("Two", "All of them"))
    #expect((value.growthCategory, value.targetAgeGroup) == (.courage, .allAges))
    #expect(try await library.collections(of: ids[0]).map(\.name) == ["Two"])
    #expect(try await library.collections(of: ids[1]).isEmpty)
  }

  @Test("a collection and its stories are added by one change, or not at all")
  func filledCollection() async throws {
    let ids = try await trial.add("a", "b")
    _ = try await library.finishReading(ids[0])
    let before = trial.store.log.entries().count
    let made = try await library.addCollection(named: "Both", stories: [ids[1], ids[0], ids[1]])
    #expect(trial.store.log.entries().count == before + 1)
    #expect((made.storyIDs, made.progress) == (ids, 0.5))
    #expect(try await library.collection(made.id) == made)
    let error = await #expect(throws: StoriesError.self) {
      try await library.addCollection(named: "Half", stories: [ids[0], UUID()])
    }
    #expect(error?.code == .notFound)
    #expect(try await library.allCollections().map(\.name) == ["Both"])
  }

  @Test("collections are sorted newest first, and need a name")
  func list() async throws {
    for name in ["a", "b"] {
      trial.clock.advance(1)
      _ = try await library.addCollection(named: name)
    }
    #expect(try await library.allCollections().map(\.name) == ["b", "a"])
    await #expect(throws: StoriesError.self) { try await library.addCollection(named: " ") }
  }

  @Test("a deleted collection leaves its stories, unless they are to go with it")
  func deletion() async throws {
    let ids = try await trial.add("a", "b", "c")
    let kept = try await library.addCollection(named: "Kept").id
    let gone = try await library.addCollection(named: "Gone").id
    let other = try await library.addCollection(named: "Other").id
    try await library.add(ids, to: kept)
    try await library.add([ids[0], ids[1]], to: gone)
    try await library.add([ids[1], ids[2]], to: other)
    _ = try await library.finishReading(ids[2])
    let question = try await library.question(beforeDeleting: gone)
    #expect((question.collection.storyIDs.count, question.sharedStories) == (2, 2))
    try await library.deleteCollection(kept, .keepingStories)
    #expect(try await library.count() == 3)
    try await library.deleteCollection(gone, .withStories)
    #expect(try await library.rows().map(\.title) == ["c"])
    #expect(try await library.allCollections().map(\.name) == ["Other"])
    #expect(try await library.collection(other).progress == 1)
    #expect(try await library.collection(other).storyIDs == [ids[2]])
  }

  @Test("the first story and a finished collection are earned once, and stay")
  func achievements() async throws {
    let ids = try await trial.add("a", "b")
    let collection = try await library.addCollection(named: "Both").id
    try await library.add(ids, to: collection)
    let first = try await library.finishReading(ids[0])
    #expect(first.earned.map(\.type) == [.firstStory])
    #expect(try await library.finishReading(ids[0]).earned == [])
    trial.clock.advance(1)
    let last = try await library.finishReading(ids[1])
    #expect(last.earned.map(\.name) == ["Both"])
    #expect(last.earned.map(\.storyID) == [ids[1]])
    #expect(last.story.readCount == 1)
    for id in ids { #expect(try await library.finishReading(id).earned == []) }
    #expect(
      try await library.earnedAchievements().map(\.type) == [.collectionCompleted, .firstStory])
    // Neither a new story nor the end of the collection takes an achievement back.
    let more = try await trial.add("c")
    try await library.add(more, to: collection)
    #expect(try await library.finishReading(more[0]).earned == [])
    try await library.deleteCollection(collection, .withStories)
    let left = try await library.earnedAchievements()
    #expect(left.map(\.type) == [.collectionCompleted, .firstStory])
    #expect(left.allSatisfy { $0.storyID == nil })
  }

  @Test("ten stories, and three days in a row, are achievements")
  func milestones() async throws {
    let id = try await trial.add("a")[0]
    var earned: [String] = []
    for number in 1...10 {
      if number == 4 || number == 7 { trial.clock.advance(86_400) }
      earned += try await library.finishReading(id).earned.map { "\(number) \($0.name)" }
    }
    #expect(earned == ["1 First story", "7 3 days in a row", "10 10 stories"])
  }

  @Test(
    "two windows that finish stories simultaneously count every story, and earn each achievement once"
  )
  func windows() async throws {
    let trial = try TrialLibrary(onDisk: true)
    let ids = try await trial.add("a", "b", "c", "d")
    let collection = try await trial.library.addCollection(named: "All").id
    try await trial.library.add(ids, to: collection)
    let windows = try (1...2).map { _ in try StoryLibrary(trial.store) }
    let outcomes = try await withThrowingTaskGroup(of: [AchievementValue].self) { group in
      for window in windows {
        for id in ids { group.addTask { try await window.finishReading(id).earned } }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(outcomes.map(\.type)) == [.firstStory, .collectionCompleted])
    #expect(outcomes.count == 2)
    #expect(try await trial.library.rows().map(\.readCount) == [2, 2, 2, 2])
    #expect(try await trial.library.profile().streak.storiesRead == 8)
    #expect(try await trial.library.collection(collection).progress == 1)
    #expect(try await trial.library.earnedAchievements().count == 2)
  }

  @Test("two programs that read a story at the same time lose no count")
  func programs() async throws {
    let trial = try TrialLibrary(onDisk: true)
    let id = try await trial.add("a")[0]
    let others = try (1...2).map { _ in
      try OtherProgram.start(["read", trial.folder.file.path, id.uuidString, "8"])
    }
    for _ in 1...8 { _ = try await trial.library.finishReading(id) }
    for other in others {
      other.waitUntilExit()
      #expect(other.terminationStatus == 0)
    }
    #expect(try await trial.library.rows().map(\.readCount) == [24])
    #expect(try await trial.library.profile().streak.storiesRead == 24)
    let names = try await trial.library.earnedAchievements().map(\.name)
    #expect(names.sorted() == ["10 stories", "First story"])
  }
}
