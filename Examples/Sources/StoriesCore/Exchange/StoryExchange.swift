public import Foundation
public import SwiftData
import OpenPersistenceKit

/// The result of an import.
public struct ImportReport: Codable, Hashable, Sendable {
  /// The number of new stories.
  public var added = 0
  /// The number of existing stories that were replaced by stories of the file.
  public var replaced = 0
  /// The number of collections in the file.
  public var collections = 0
  /// The number of new achievements.
  public var achievements = 0
  /// Whether the library kept its own profile, which differs from the profile of the file.
  public var keptProfile = false

  /// Creates a report.
  public init(
    added: Int = 0, replaced: Int = 0, collections: Int = 0, achievements: Int = 0,
    keptProfile: Bool = false
  ) {
    self.added = added
    self.replaced = replaced
    self.collections = collections
    self.achievements = achievements
    self.keptProfile = keptProfile
  }
}

/// Exports a library as JSON and imports libraries, in the background.
///
/// An import is one save: the whole file is imported, or nothing.
@ModelActor
public actor StoryExchange {
  private let store: StoriesStore

  /// Creates an exchange for a library.
  public init(_ store: StoriesStore) {
    self.store = store
    modelContainer = store.container
    modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(store.container))
  }

  // MARK: Export

  /// Returns the library as JSON. Equal libraries produce equal JSON.
  ///
  /// Changes by other windows and programs wait until the method has read the library, so the JSON is complete.
  ///
  /// - Throws: `StoriesError` with code `.tooLarge` if the JSON is larger than what an import accepts, or with code `.notOpened` if the
  ///   library cannot be locked; `PersistenceError.fetchFailed`.
  public func export() throws -> Data { try export(upTo: ArchiveCheck.sizeLimit) }

  /// - Parameter limit: The maximum size of the JSON, in bytes.
  package func export(upTo limit: Int) throws -> Data {
    let turn = try WriteTurn.take(of: store.place)
    defer { withExtendedLifetime(turn) {} }
    var archive = StoryArchive()
    let data: Data
    do {
      archive.stories = try all(Story.self, [SortDescriptor(\.createdAt), SortDescriptor(\.id)])
        .map(StoryValue.init)
      archive.collections = try all(
        StoryCollection.self, [SortDescriptor(\.createdAt), SortDescriptor(\.id)]
      ).map(CollectionValue.init)
      archive.achievements = try all(Achievement.self, [SortDescriptor(\.id)])
        .map(AchievementValue.init)
      archive.profile = try all(UserProfile.self, [SortDescriptor(\.createdAt)]).first
        .map(ProfileValue.init)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      data = try encoder.encode(archive)
    } catch {
      throw PersistenceError.fetchFailed(error)
    }
    guard data.count <= limit else {
      throw StoriesError(
        .tooLarge,
        "The exported library would have more than \(limit) bytes, which an import does not accept. Use a backup instead."
      )
    }
    store.log.note("export", "\(archive.stories.count) stories", at: store.clock.now())
    return data
  }

  private func all<Model: PersistentModel>(
    _ type: Model.Type, _ order: [SortDescriptor<Model>]
  ) throws -> [Model] {
    try modelContext.fetch(FetchDescriptor<Model>(sortBy: order))
  }

  // MARK: Import

  /// Returns the content of a file for ``importLibrary(_:)``. The method reads only the beginning of a file that is too large to import.
  ///
  /// - Throws: `StoriesError` with code `.unreadableImport`, which contains the path.
  public static func content(of url: URL) throws -> Data { try ArchiveCheck.content(of: url) }

  /// Imports a library in the current format or in the format of the first version.
  ///
  /// Stories and collections whose ids are in the file get the file's values; all other objects stay unchanged. A page gets a new id if a
  /// story that is not in the file has a page with its id. The profile is imported if the library has none, or a blank one: a profile that
  /// contains no data about the child, and no reading days. Otherwise, the library keeps its profile, and the report says so.
  ///
  /// - Parameter data: The JSON, which is untrusted.
  /// - Throws: `StoriesError` with code `.invalidImport`, or `PersistenceError.saveFailed`; nothing is imported.
  @discardableResult
  public func importLibrary(_ data: Data) throws -> ImportReport {
    let turn = try WriteTurn.take(of: store.place)
    defer { withExtendedLifetime(turn) {} }
    do {
      let report = try take(ArchiveCheck.archive(data))
      do { try modelContext.save() } catch { throw PersistenceError.saveFailed(error) }
      store.log.note(
        "import", "\(report.added) new, \(report.replaced) replaced", at: store.clock.now())
      return report
    } catch {
      modelContext.rollback()
      store.log.note("import", "\(data.count) bytes", failure: error, at: store.clock.now())
      throw error
    }
  }

  private func take(_ archive: StoryArchive) throws -> ImportReport {
    var report = ImportReport()
    var stories = Dictionary(
      try all(Story.self, []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for value in try withFreePageIDs(archive.stories) {
      if let story = stories[value.id] {
        replace(story, value)
        report.replaced += 1
      } else {
        let story = Story(value)
        modelContext.insert(story)
        stories[value.id] = story
        report.added += 1
      }
    }
    try takeCollections(archive.collections, stories)
    report.collections = archive.collections.count
    let profile = try takeProfile(archive.profile)
    if let profile, let value = archive.profile {
      report.keptProfile = ProfileValue(profile) != value
    }
    report.achievements = try takeAchievements(archive.achievements, stories, profile)
    return report
  }

  /// Returns the stories of a file, with new ids for pages whose ids belong to pages that the import keeps.
  ///
  /// Page ids are unique, so a save would move a kept page to the imported story. The new ids are the same for each import of the file.
  private func withFreePageIDs(_ values: [StoryValue]) throws -> [StoryValue] {
    let replaced = Set(values.map(\.id))
    let kept = Set(
      try all(Page.self, []).filter { page in page.story.map { !replaced.contains($0.id) } ?? true }
        .map(\.id))
    var taken = kept.union(values.flatMap(\.pages).map(\.id))
    return values.map { value in
      var value = value
      for index in value.pages.indices where kept.contains(value.pages[index].id) {
        var copy = 1
        repeat {
          value.pages[index].id = value.id.derived(for: "page \(index + 1) copy \(copy)")
          copy += 1
        } while !taken.insert(value.pages[index].id).inserted
      }
      return value
    }
  }

  private func replace(_ story: Story, _ value: StoryValue) {
    story.take(value)
    for page in story.pages { modelContext.delete(page) }
    story.pages = value.pages.map { Page($0) }
  }

  private func takeCollections(_ values: [CollectionValue], _ stories: [UUID: Story]) throws {
    let collections = Dictionary(
      try all(StoryCollection.self, []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first }
    )
    for value in values {
      let collection = collections[value.id] ?? StoryCollection(id: value.id, name: value.name)
      if collections[value.id] == nil { modelContext.insert(collection) }
      collection.name = value.name
      collection.createdAt = value.createdAt
      collection.descriptionText = value.descriptionText
      collection.growthCategory = value.growthCategory
      collection.targetAgeGroup = value.targetAgeGroup
      collection.stories = value.storyIDs.compactMap { stories[$0] }
    }
    for collection in try all(StoryCollection.self, []) { collection.updateProgress() }
  }

  /// - Returns: The profile of the library; nil if it has none.
  private func takeProfile(_ value: ProfileValue?) throws -> UserProfile? {
    let known = try all(UserProfile.self, [SortDescriptor(\.createdAt)]).first
    guard let value, known.map(Self.isBlank) ?? true else { return known }
    let profile = known ?? UserProfile()
    if known == nil { modelContext.insert(profile) }
    profile.id = value.id
    profile.createdAt = value.createdAt
    value.writeData(to: profile)
    profile.streak = value.streak
    return profile
  }

  /// Returns whether a profile has only the values of a new profile.
  private static func isBlank(_ profile: UserProfile) -> Bool {
    ProfileValue(profile)
      == ProfileValue(UserProfile(id: profile.id, createdAt: profile.createdAt))
  }

  private func takeAchievements(
    _ values: [AchievementValue], _ stories: [UUID: Story], _ profile: UserProfile?
  ) throws -> Int {
    let known = Set(try all(Achievement.self, []).map(\.id))
    let new = values.filter { !known.contains($0.id) }
    for value in new {
      let achievement = Achievement(
        id: value.id, name: value.name, descriptionText: value.descriptionText,
        earnedAt: value.earnedAt, type: value.type, iconName: value.iconName)
      achievement.progress = value.progress
      modelContext.insert(achievement)
      achievement.story = value.storyID.flatMap { stories[$0] }
      achievement.profile = profile
    }
    return new.count
  }
}
