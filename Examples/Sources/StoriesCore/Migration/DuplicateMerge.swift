import Foundation
import SwiftData

/// Makes ids unique, which the first version did not require.
///
/// Equal objects are merged. Different objects with the same id get new ids, so no data is lost.
enum DuplicateMerge {
  private typealias Bridge = StoriesSchemaBridge

  static func run(in context: ModelContext) throws {
    try merge(
      context.fetch(FetchDescriptor<Bridge.Story>(sortBy: [SortDescriptor(\.createdAt)])),
      id: \.id, isSame: { $0.title == $1.title && $0.content == $1.content },
      in: context, merge)
    try merge(
      context.fetch(FetchDescriptor<Bridge.StoryCollection>(sortBy: [SortDescriptor(\.createdAt)])),
      id: \.id, isSame: { $0.name == $1.name }, in: context, merge)
    try merge(
      context.fetch(FetchDescriptor<Bridge.Achievement>(sortBy: [SortDescriptor(\.earnedAt)])),
      id: \.id, isSame: { $0.name == $1.name && $0.type == $1.type }, in: context
    ) { kept, other in
      kept.story = kept.story ?? other.story
      kept.profile = kept.profile ?? other.profile
    }
    try merge(
      context.fetch(FetchDescriptor<Bridge.UserProfile>(sortBy: [SortDescriptor(\.createdAt)])),
      id: \.id, isSame: { $0.childName == $1.childName }, in: context, merge)
  }

  /// Merges models, which are sorted from oldest to newest.
  private static func merge<Model: PersistentModel>(
    _ models: [Model], id: ReferenceWritableKeyPath<Model, UUID>,
    isSame: (Model, Model) -> Bool, in context: ModelContext, _ merge: (Model, Model) -> Void
  ) throws {
    var kept: [UUID: Model] = [:]
    let known = Set(models.map { $0[keyPath: id] })
    for model in models {
      let own = model[keyPath: id]
      let candidate = own.distinct(from: known) { candidate in
        kept[candidate].map { isSame($0, model) } ?? true
      }
      if let other = kept[candidate] {
        merge(other, model)
        context.delete(model)
      } else {
        if candidate != own { model[keyPath: id] = candidate }
        kept[candidate] = model
      }
    }
  }

  private static func merge(_ kept: Bridge.Story, _ other: Bridge.Story) {
    var reading = kept
    reading.merge(other)
    for collection in other.collections where !kept.collections.contains(collection) {
      kept.collections.append(collection)
    }
    // Deleting the merged copy would delete its achievements.
    for achievement in other.achievements { achievement.story = kept }
  }

  private static func merge(_ kept: Bridge.StoryCollection, _ other: Bridge.StoryCollection) {
    kept.details = kept.details ?? other.details
    kept.growthCategory = kept.growthCategory ?? other.growthCategory
    kept.targetAgeGroup = kept.targetAgeGroup ?? other.targetAgeGroup
    for story in other.stories where !kept.stories.contains(story) { kept.stories.append(story) }
  }

  private static func merge(_ kept: Bridge.UserProfile, _ other: Bridge.UserProfile) {
    func join(_ list: ReferenceWritableKeyPath<Bridge.UserProfile, [String]>) {
      kept[keyPath: list] += other[keyPath: list].filter { !kept[keyPath: list].contains($0) }
    }
    join(\.interests)
    join(\.preferredThemes)
    join(\.favoriteCharacters)
    kept.totalStoriesRead = max(kept.totalStoriesRead, other.totalStoriesRead)
    kept.lastReadDate = [kept.lastReadDate, other.lastReadDate].compactMap { $0 }.max()
    for achievement in other.achievements { achievement.profile = kept }
  }
}

/// What a reader has added to a story.
protocol ReadStory {
  var readCount: Int { get set }
  var isFavorite: Bool { get set }
  var lastReadAt: Date? { get set }
  var childName: String? { get set }
  var notes: String? { get set }
}

extension ReadStory {
  /// Adds what a reader has added to a duplicate.
  mutating func merge(_ other: Self) {
    readCount = max(readCount, other.readCount)
    isFavorite = isFavorite || other.isFavorite
    lastReadAt = [lastReadAt, other.lastReadAt].compactMap { $0 }.max()
    childName = childName ?? other.childName
    if let notes = other.notes, notes != self.notes {
      self.notes = [self.notes, notes].compactMap { $0 }.joined(separator: "\n")
    }
  }
}

extension StoryValue: ReadStory {}

extension StoriesSchemaBridge.Story: ReadStory {}
