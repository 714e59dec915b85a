import Foundation
import StoriesCore
import SwiftData
import Testing

@Suite("The child's profile")
struct ProfileTests {
  @Test("the profile is created once, and keeps lists, enumerations and settings")
  func values() async throws {
    let trial = try TrialLibrary(onDisk: true)
    let first = try await trial.library.profile()
    #expect((first.childName, first.interests, first.dateOfBirth) == ("", [], nil))
    #expect(first.settings == ReadingSettings())
    let settings = ReadingSettings(usesTextToSpeech: true, preferredVoice: "anna", darkMode: .dark)
    let born = TrialClock.date(2019, 5, 6, 0, 0)
    try await trial.library.updateProfile { profile in
      profile.childName = "Zoë"
      profile.interests = ["dinosaurs", "the sea"]
      profile.preferredThemes = ["courage"]
      profile.favoriteCharacters = []
      profile.dateOfBirth = born
      profile.settings = settings
    }
    let other = try StoryLibrary(StoriesStore(.file(trial.folder.file)))
    let read = try await other.profile()
    #expect(read.id == first.id)
    #expect((read.childName, read.interests) == ("Zoë", ["dinosaurs", "the sea"]))
    #expect((read.preferredThemes, read.favoriteCharacters) == (["courage"], []))
    #expect((read.settings, read.dateOfBirth) == (settings, born))
  }

  @Test("two programs that create the profile at the same time create one")
  func sole() async throws {
    let trial = try TrialLibrary(onDisk: true)
    async let one = trial.library.profile()
    async let other = StoryLibrary(trial.store).profile()
    #expect(try await one.id == other.id)
    let context = ModelContext(trial.store.container)
    #expect(try context.fetchCount(FetchDescriptor<UserProfile>()) == 1)
  }

  @Test("the streak is shown until a day is skipped")
  func streak() async throws {
    let trial = try TrialLibrary(clock: TrialClock(TrialClock.date(2026, 3, 1, 22, 0)))
    let id = try await trial.add("a")[0]
    #expect(try await trial.library.currentStreak() == 0)
    #expect(try await trial.library.finishReading(id).streakDays == 1)
    trial.clock.now = TrialClock.date(2026, 3, 2, 0, 1)
    #expect(try await trial.library.currentStreak() == 1)
    #expect(try await trial.library.finishReading(id).streakDays == 2)
    trial.clock.now = TrialClock.date(2026, 3, 3, 23, 59)
    #expect(try await trial.library.currentStreak() == 2)
    trial.clock.now = TrialClock.date(2026, 3, 4, 0, 0)
    #expect(try await trial.library.currentStreak() == 0)
    #expect(try await trial.library.finishReading(id).streakDays == 1)
    #expect(try await trial.library.profile().streak.longest == 2)
  }
}
