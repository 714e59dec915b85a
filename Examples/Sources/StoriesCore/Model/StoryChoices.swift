/// The age group of a story.
public enum AgeGroup: Int, Codable, CaseIterable, Sendable {
  /// Three to five years.
  case threeToFive = 0
  /// Six to eight years.
  case sixToEight
  /// Nine to twelve years.
  case nineToTwelve
  /// All ages; stores of the first version do not have this case.
  case allAges
}

/// The area of growth that the stories of a collection support.
public enum GrowthCategory: String, Codable, CaseIterable, Sendable {
  /// Feelings and how to handle them.
  case feelings
  /// Friends and family.
  case friendship
  /// The courage to try.
  case courage
  /// Kindness.
  case kindness
  /// Curiosity.
  case curiosity
}

/// The reason for an achievement.
public enum AchievementType: String, Codable, CaseIterable, Sendable {
  /// The first story was read.
  case firstStory
  /// A certain number of stories was read.
  case storiesRead
  /// All stories of a collection were read.
  case collectionCompleted
  /// Stories were read on several days in a row; stores of the first version do not have this case.
  case readingStreak
}

/// The status of the picture of a page.
public enum IllustrationStatus: String, Codable, CaseIterable, Sendable {
  /// The page has no picture and needs none.
  case none
  /// The picture is requested.
  case pending
  /// The picture is available.
  case ready
  /// The picture could not be created.
  case failed
}

/// The color scheme of the reader's screens.
public enum DarkModePreference: String, Codable, CaseIterable, Sendable {
  /// The color scheme of the system.
  case system
  /// Dark text on a light background.
  case light
  /// Light text on a dark background.
  case dark
}

/// The reading settings of a child.
public struct ReadingSettings: Codable, Hashable, Sendable {
  /// Whether stories are read aloud.
  public var usesTextToSpeech: Bool
  /// The voice; nil for the system voice.
  public var preferredVoice: String?
  /// The color scheme of the screens.
  public var darkMode: DarkModePreference

  /// Creates settings.
  public init(
    usesTextToSpeech: Bool = false, preferredVoice: String? = nil,
    darkMode: DarkModePreference = .system
  ) {
    self.usesTextToSpeech = usesTextToSpeech
    self.preferredVoice = preferredVoice
    self.darkMode = darkMode
  }
}
