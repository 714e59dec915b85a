public import Foundation

/// The theme of a generated story.
public enum StoryTheme: String, Codable, CaseIterable, Sendable {
  case adventure, friendship, courage, kindness, curiosity, bedtime
}

/// The length of a generated story.
public enum StoryLength: String, Codable, CaseIterable, Sendable {
  /// Two or three pages.
  case short
  /// About five pages.
  case medium
  /// About eight pages.
  case long
}

/// A request for a generated story.
public struct StoryRequest: Hashable, Sendable {
  /// The name of the child, who is the hero of the story.
  public var childName: String
  /// The child's interests, as nouns or activities: "dinosaurs", "drawing".
  public var interests: [String]
  /// The characters that the child likes: "Luna the owl", "dragon".
  public var characters: [String]
  /// The age group.
  public var ageGroup: AgeGroup
  /// The theme.
  public var theme: StoryTheme
  /// The length.
  public var length: StoryLength

  /// Creates a request.
  public init(
    childName: String, interests: [String] = [], characters: [String] = [],
    ageGroup: AgeGroup = .sixToEight, theme: StoryTheme = .adventure, length: StoryLength = .medium
  ) {
    self.childName = childName
    self.interests = interests
    self.characters = characters
    self.ageGroup = ageGroup
    self.theme = theme
    self.length = length
  }

  /// Creates a request from a child's profile.
  ///
  /// - Parameters:
  ///   - profile: The profile.
  ///   - instant: The current time.
  ///   - calendar: The calendar whose time zone is that of the child's location.
  ///   - ageGroup: The age group; nil for the child's, or six to eight years if the date of birth is unknown.
  ///   - theme: The theme; nil for the first favorite theme, or adventure if there is none.
  ///   - length: The length.
  public init(
    _ profile: ProfileValue, at instant: Date, in calendar: Calendar, ageGroup: AgeGroup? = nil,
    theme: StoryTheme? = nil, length: StoryLength = .medium
  ) {
    let favorite = profile.preferredThemes.lazy.compactMap { StoryTheme(rawValue: $0) }.first
    self.init(
      childName: profile.childName, interests: profile.interests,
      characters: profile.favoriteCharacters,
      ageGroup: ageGroup ?? profile.ageGroup(at: instant, in: calendar) ?? .sixToEight,
      theme: theme ?? favorite ?? .adventure, length: length)
  }
}

extension ProfileValue {
  /// Returns the age group of the child; nil if the date of birth is unknown or in the future.
  fileprivate func ageGroup(at instant: Date, in calendar: Calendar) -> AgeGroup? {
    // A date of birth is a day, of which any instant can be stored.
    guard let birth = dateOfBirth.map({ calendar.startOfDay(for: $0) }), birth <= instant,
      let years = calendar.dateComponents([.year], from: birth, to: instant).year
    else { return nil }
    switch years {
    case ...5: return .threeToFive
    case ...8: return .sixToEight
    case ...12: return .nineToTwelve
    default: return .allAges
    }
  }
}
