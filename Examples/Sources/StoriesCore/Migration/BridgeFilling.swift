import Foundation
import SwiftData

/// Fills a store of the intermediate version with the values of the second version. Running it again changes nothing.
enum BridgeFilling {
  private typealias Bridge = StoriesSchemaBridge

  /// Merges duplicates, splits texts into pages and collects settings, in one save.
  static func run(in context: ModelContext) throws {
    try DuplicateMerge.run(in: context)
    try fillPages(in: context)
    try fillProfiles(in: context)
    try context.save()
  }

  private static func fillPages(in context: ModelContext) throws {
    for story in try context.fetch(FetchDescriptor<Bridge.Story>()) where story.pages.isEmpty {
      story.pages = PageText.pages(of: story.content).enumerated().map { index, text in
        Bridge.Page(
          id: story.id.derived(for: "page \(index + 1)"), pageNumber: index + 1, text: text)
      }
    }
  }

  private static func fillProfiles(in context: ModelContext) throws {
    for profile in try context.fetch(FetchDescriptor<Bridge.UserProfile>()) {
      if profile.settings == nil {
        profile.settings = ReadingSettings(
          usesTextToSpeech: profile.useTextToSpeech,
          preferredVoice: profile.preferredVoiceIdentifier, darkMode: profile.darkModePreference)
      }
      if profile.streak == nil {
        let day = profile.lastReadDate.map { ReadingStreak.day(of: $0, in: .current) }
        profile.streak = ReadingStreak(storiesRead: profile.totalStoriesRead, lastDay: day)
      }
    }
  }
}
