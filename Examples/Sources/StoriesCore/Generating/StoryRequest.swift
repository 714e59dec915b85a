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
  public init(
    _ profile: ProfileValue, ageGroup: AgeGroup = .sixToEight, theme: StoryTheme = .adventure,
    length: StoryLength = .medium
  ) {
    self.init(
      childName: profile.childName, interests: profile.interests,
      characters: profile.favoriteCharacters, ageGroup: ageGroup, theme: theme, length: length)
  }
}
