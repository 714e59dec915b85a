public import Foundation

/// A part of the child's profile that a user edits as text.
public enum ProfileField: String, CaseIterable, Sendable {
  case name, birthday, interests, themes, characters, readsAloud, voice, colorScheme

  /// The name of the field for users.
  public var label: String {
    switch self {
    case .name: "Name"
    case .birthday: "Date of birth"
    case .interests: "Interests"
    case .themes: "Favorite themes"
    case .characters: "Favorite characters"
    case .readsAloud: "Read aloud"
    case .voice: "Voice"
    case .colorScheme: "Color scheme"
    }
  }

  /// A description of valid texts.
  public var rule: String {
    switch self {
    case .name: "any text"
    case .birthday: "a date such as 2019-05-06, or an empty text"
    case .interests, .characters: "texts separated by commas"
    case .themes: "\(Self.themeNames), separated by commas"
    case .readsAloud: "yes or no"
    case .voice: "the name of a voice, or an empty text for the default voice"
    case .colorScheme: "system, light or dark"
    }
  }

  private static let themeNames =
    StoryTheme.allCases.map(\.rawValue).joined(separator: ", ")

  /// Returns the value of a profile as text.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - calendar: The calendar whose time zone is that of the child's location.
  public func text(of profile: ProfileValue, in calendar: Calendar) -> String {
    switch self {
    case .name: profile.childName
    case .birthday: profile.dateOfBirth.map { DayText.day(of: $0, in: calendar) } ?? ""
    case .interests: profile.interests.joined(separator: ", ")
    case .themes: profile.preferredThemes.joined(separator: ", ")
    case .characters: profile.favoriteCharacters.joined(separator: ", ")
    case .readsAloud: profile.settings.usesTextToSpeech ? "yes" : "no"
    case .voice: profile.settings.preferredVoice ?? ""
    case .colorScheme: profile.settings.darkMode.rawValue
    }
  }

  /// Sets the value of a profile from a text.
  ///
  /// A text that is equal to the current one leaves the value unchanged: an interest can contain a comma, and a date has a time.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - profile: The profile.
  ///   - calendar: The calendar whose time zone is that of the child's location.
  /// - Throws: `StoriesError` with code `.invalidValue` if the text is not valid; the profile is then unchanged.
  public func set(
    _ text: String, of profile: inout ProfileValue, in calendar: Calendar
  ) throws {
    if text == self.text(of: profile, in: calendar) { return }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch self {
    case .name: profile.childName = text
    case .birthday:
      profile.dateOfBirth =
        trimmed.isEmpty ? nil : try valid(DayText.instant(trimmed, in: calendar), text)
    case .interests: profile.interests = Self.list(text)
    case .themes: profile.preferredThemes = try validThemes(Self.list(text), of: profile)
    case .characters: profile.favoriteCharacters = Self.list(text)
    case .readsAloud:
      profile.settings.usesTextToSpeech = try valid(
        ["yes": true, "no": false][trimmed.lowercased()], text)
    case .voice: profile.settings.preferredVoice = trimmed.isEmpty ? nil : trimmed
    case .colorScheme:
      profile.settings.darkMode = try valid(
        DarkModePreference(rawValue: trimmed.lowercased()), text)
    }
  }

  /// Returns the parts of a text, which commas separate.
  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }

  /// Returns the names of themes. Those that the profile already has are always valid, because a migrated profile can have any text.
  private func validThemes(_ names: [String], of profile: ProfileValue) throws -> [String] {
    try names.map { name in
      if profile.preferredThemes.contains(name) { return name }
      return try valid(StoryTheme(rawValue: name.lowercased()), name).rawValue
    }
  }

  private func valid<Value>(_ value: Value?, _ text: String) throws -> Value {
    guard let value else {
      throw StoriesError(
        .invalidValue, "“\(text)” is not a valid value of “\(label)”. Enter \(rule).")
    }
    return value
  }
}
