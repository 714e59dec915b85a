import Foundation
import StoriesCore
import SwiftData

/// A library of the first version, with duplicates, and its expected migrated contents.
struct FormerLibrary {
  private typealias V1 = StoriesSchemaV1
  let file: URL

  /// A text of some pages, in which the sentences of every other story are paragraphs.
  static func text(_ number: Int) -> String {
    (1...(20 + number % 30)).map { "Sentence \($0) of story \(number)." }
      .joined(separator: number.isMultiple(of: 2) ? "\n\n" : " ")
  }

  static func id(_ number: Int) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 255)))
  }

  private static func date(_ number: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(number) * 60)
  }

  /// Writes the library.
  ///
  /// Story 1 exists three times: unchanged, with other marks, and with another text.
  func write(stories count: Int = 12) throws {
    let schema = Schema(versionedSchema: V1.self)
    let container = try ModelContainer(
      for: schema, configurations: [ModelConfiguration(schema: schema, url: file)])
    let context = ModelContext(container)
    let collection = V1.StoryCollection(id: Self.id(900), name: "Evening", createdAt: Self.date(1))
    collection.details = "For the evening"
    collection.growthCategory = .kindness
    collection.targetAgeGroup = .threeToFive
    collection.completionProgress = 0.25
    context.insert(collection)
    let twin = V1.StoryCollection(id: Self.id(900), name: "Evening", createdAt: Self.date(2))
    context.insert(twin)
    for number in 1...count {
      let story = V1.Story(
        id: Self.id(number), title: "Story \(number)", content: Self.text(number),
        createdAt: Self.date(number), ageGroup: .nineToTwelve, theme: "sea", mainCharacter: "Ada")
      story.childName = "Bo"
      story.audioURL = URL(string: "https://stories.example/\(number)")
      story.readCount = number % 4
      story.lastReadAt = number % 4 == 0 ? nil : Self.date(1000 + number)
      story.isFavorite = number.isMultiple(of: 5)
      story.notes = number == 1 ? "First" : nil
      context.insert(story)
      if number % 3 == 1 { collection.stories.append(story) }
      if number == 2 { twin.stories.append(story) }
    }
    try addDuplicates(to: context, twin)
    addProfile(to: context)
    try context.save()
  }

  private func addDuplicates(
    to context: ModelContext, _ collection: StoriesSchemaV1.StoryCollection
  ) throws {
    let same = V1.Story(
      id: Self.id(1), title: "Story 1", content: Self.text(1), createdAt: Self.date(500))
    same.readCount = 9
    same.isFavorite = true
    same.notes = "Second"
    let achievement = V1.Achievement(
      id: Self.id(800), name: "Reader", details: "For reading", earnedAt: Self.date(3),
      type: .storiesRead)
    context.insert(same)
    context.insert(achievement)
    same.achievements = [achievement]
    collection.stories.append(same)
    context.insert(
      V1.Story(
        id: Self.id(1), title: "Story 1", content: "Another text.", createdAt: Self.date(501)))
  }

  private func addProfile(to context: ModelContext) {
    let profile = V1.UserProfile(
      id: Self.id(700), createdAt: Self.date(0), childName: "Bo", dateOfBirth: Self.date(-10_000))
    profile.interests = ["dinosaurs", "naïve art"]
    profile.favoriteCharacters = ["dragon"]
    profile.useTextToSpeech = true
    profile.darkModePreference = .dark
    profile.totalStoriesRead = 17
    profile.lastReadDate = Self.date(2000)
    context.insert(profile)
  }

  // MARK: Reading

  /// The contents of a library of the current version, in lines.
  static func lines(_ store: StoriesStore) throws -> [String] {
    let context = ModelContext(store.container)
    var lines = try context.fetch(FetchDescriptor<Story>()).map { story in
      let marks = "\(story.readCount) \(story.isFavorite) \(story.notes ?? "-")"
      let links = story.collections.map(\.name).sorted() + story.achievements.map(\.name).sorted()
      return
        "\(story.title) \(story.ageGroup) \(story.theme) \(story.childName ?? "-") \(marks) \(links) \(story.content)"
    }
    lines += try context.fetch(FetchDescriptor<StoryCollection>()).map { collection in
      "\(collection.name) \(collection.descriptionText ?? "-") \(collection.growthCategory?.rawValue ?? "-") "
        + "\(collection.targetAgeGroup.map { "\($0)" } ?? "-") \(collection.stories.map(\.title).sorted())"
    }
    lines += try context.fetch(FetchDescriptor<Achievement>()).map {
      "\($0.name) \($0.descriptionText) \($0.type) \($0.story?.title ?? "-") \($0.earnedAt != nil)"
    }
    lines += try context.fetch(FetchDescriptor<UserProfile>()).map { profile in
      let value = ProfileValue(profile)
      return
        "\(value.childName) \(value.interests) \(value.favoriteCharacters) \(value.settings.usesTextToSpeech) "
        + "\(value.settings.darkMode) \(value.streak.storiesRead) \(value.streak.days)"
    }
    return lines.sorted()
  }

  /// The expected lines of a migrated library.
  static func expected(stories count: Int = 12) -> [String] {
    var lines = (1...count).map { number in
      let marks =
        number == 1
        ? "9 true First\nSecond"
        : "\(number % 4) \(number.isMultiple(of: 5)) -"
      var links = number % 3 == 1 || number == 2 ? ["Evening"] : []
      if number == 1 { links.append("Reader") }
      return "Story \(number) nineToTwelve sea Bo \(marks) \(links) \(text(number))"
    }
    lines.append("Story 1 sixToEight  - 0 false - [] Another text.")
    let members = (1...count).filter { $0 % 3 == 1 || $0 == 2 }.map { "Story \($0)" }.sorted()
    lines.append("Evening For the evening kindness threeToFive \(members)")
    lines.append("Reader For reading storiesRead Story 1 true")
    lines.append(#"Bo ["dinosaurs", "naïve art"] ["dragon"] true dark 17 1"#)
    return lines.sorted()
  }

  /// The titles and texts of a store of the first version.
  static func formerTitles(_ file: URL) throws -> [String] {
    let schema = Schema(versionedSchema: V1.self)
    let container = try ModelContainer(
      for: schema,
      configurations: [ModelConfiguration(schema: schema, url: file, allowsSave: false)])
    return try ModelContext(container).fetch(FetchDescriptor<V1.Story>())
      .map { "\($0.title) \($0.content)" }.sorted()
  }
}
