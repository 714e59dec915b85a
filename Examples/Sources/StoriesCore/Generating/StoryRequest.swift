/// What a generated story is about.
public enum StoryTheme: String, Codable, CaseIterable, Sendable {
  case adventure, friendship, courage, kindness, curiosity, bedtime
}

/// How long a generated story is.
public enum StoryLength: String, Codable, CaseIterable, Sendable {
  /// Two or three pages.
  case short
  /// About five pages.
  case medium
  /// About eight pages.
  case long
}

/// What a story is to be made of.
public struct StoryRequest: Hashable, Sendable {
  /// The child's name; the hero of the story.
  public var childName: String
  /// What the child likes, as a noun or an activity: "dinosaurs", "drawing".
  public var interests: [String]
  /// The characters that the child likes: "Luna the owl", "dragon".
  public var characters: [String]
  /// For whom the story is.
  public var ageGroup: AgeGroup
  /// What it is about.
  public var theme: StoryTheme
  /// How long it is.
  public var length: StoryLength

  /// Makes a request.
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

  /// Makes the request for a child.
  public init(
    _ profile: ProfileValue, ageGroup: AgeGroup = .sixToEight, theme: StoryTheme = .adventure,
    length: StoryLength = .medium
  ) {
    self.init(
      childName: profile.childName, interests: profile.interests,
      characters: profile.favoriteCharacters, ageGroup: ageGroup, theme: theme, length: length)
  }
}
