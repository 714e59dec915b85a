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

  @Test("a field is read and changed as text; a text that is not valid changes nothing")
  func fields() throws {
    func calendar(_ zone: String) throws -> Calendar {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: zone))
      return calendar
    }
    let utc = try calendar("UTC")
    var profile = ProfileValue(UserProfile())
    let values: [(ProfileField, String)] = [
      (.name, "Zoë"), (.birthday, "2020-02-29"), (.interests, "owls, maps"),
      (.themes, "courage, bedtime"), (.characters, "Luna the owl"), (.readsAloud, "yes"),
      (.voice, "anna"), (.colorScheme, "light"),
    ]
    #expect(values.map(\.0) == ProfileField.allCases)
    for (field, text) in values {
      try field.set(text, of: &profile, in: utc)
      #expect(field.text(of: profile, in: utc) == text)
    }
    #expect(profile.interests == ["owls", "maps"] && profile.settings.usesTextToSpeech)
    for zone in ["America/Los_Angeles", "Asia/Tokyo"] {
      #expect(try ProfileField.birthday.text(of: profile, in: calendar(zone)) == "2020-02-29")
    }
    let before = profile
    for (field, text) in [
      (ProfileField.birthday, "2019-02-29"), (.birthday, "2019-5-6"), (.birthday, "06.05.2019"),
      (.themes, "courage, cars"), (.readsAloud, "1"), (.colorScheme, "pink"),
    ] {
      let error = #expect(throws: StoriesError.self) {
        try field.set(text, of: &profile, in: utc)
      }
      #expect(error?.code == .invalidValue && error?.message.contains(field.label) == true)
    }
    #expect(profile == before)
    // The text of a list does not show which commas separate its parts.
    profile.interests = ["a, b", "c"]
    try ProfileField.interests.set("a, b, c", of: &profile, in: utc)
    #expect(profile.interests == ["a, b", "c"])
    for field in [ProfileField.birthday, .interests, .themes, .voice] {
      try field.set(" ", of: &profile, in: utc)
      #expect(field.text(of: profile, in: utc).isEmpty)
    }
  }

  @Test("an edit of the profile is refused if a setting has changed since, or the birth is to come")
  func refusedEdits() async throws {
    let trial = try TrialLibrary()
    #expect(try await trial.library.readingSettings() == ReadingSettings())
    let first = try await trial.library.profile()
    var (one, other) = (first, first)
    one.settings.darkMode = .dark
    other.preferredThemes = ["courage"]
    try await trial.library.editProfile(from: first, to: one)
    #expect(try await trial.library.readingSettings().darkMode == .dark)
    let conflict = await #expect(throws: StoriesError.self) {
      try await trial.library.editProfile(from: first, to: other)
    }
    #expect(conflict?.code == .changedElsewhere)
    other.settings.darkMode = .dark
    try await trial.library.editProfile(from: one, to: other)
    other.dateOfBirth = TrialClock.date(2026, 3, 2, 12, 0)
    let early = await #expect(throws: StoriesError.self) {
      try await trial.library.editProfile(from: trial.library.profile(), to: other)
    }
    #expect(early?.code == .invalidValue)
    let stored = try await trial.library.profile()
    #expect(stored.preferredThemes == ["courage"] && stored.dateOfBirth == nil)
  }

  @Test("a child has its birthday from midnight on, and can be born today")
  func birthdays() async throws {
    let trial = try TrialLibrary(clock: TrialClock(TrialClock.date(2026, 3, 1, 8, 0)))
    let calendar = trial.clock.calendar
    func age(at instant: Date, bornOn day: String) throws -> AgeGroup {
      var profile = ProfileValue(UserProfile())
      try ProfileField.birthday.set(day, of: &profile, in: calendar)
      return StoryRequest(profile, at: instant, in: calendar).ageGroup
    }
    let (eve, day) = (TrialClock.date(2026, 2, 28, 23, 59), TrialClock.date(2026, 3, 1, 0, 0))
    #expect(try age(at: eve, bornOn: "2020-03-01") == .threeToFive)
    #expect(try age(at: day, bornOn: "2020-03-01") == .sixToEight)
    #expect(try age(at: day, bornOn: "2026-03-01") == .threeToFive)
    try await trial.library.updateProfile { profile in
      try ProfileField.birthday.set("2026-03-01", of: &profile, in: calendar)
    }
    let stored = try await trial.library.profile()
    #expect(ProfileField.birthday.text(of: stored, in: calendar) == "2026-03-01")
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
