/// For whom a story is.
public enum AgeGroup: Int, Codable, CaseIterable, Sendable {
  /// Three to five years.
  case threeToFive = 0
  /// Six to eight years.
  case sixToEight
  /// Nine to twelve years.
  case nineToTwelve
  /// Everyone; stores of the first version do not have it.
  case allAges
}

/// What the stories of a collection are to help with.
public enum GrowthCategory: String, Codable, CaseIterable, Sendable {
  /// Feelings and what to do with them.
  case feelings
  /// Friends and family.
  case friendship
  /// Courage to try.
  case courage
  /// Kindness.
  case kindness
  /// Curiosity.
  case curiosity
}

/// What an achievement is for.
public enum AchievementType: String, Codable, CaseIterable, Sendable {
  /// The first story was read.
  case firstStory
  /// A number of stories was read.
  case storiesRead
  /// All stories of a collection were read.
  case collectionCompleted
  /// Stories were read on several days in a row; stores of the first version do not have it.
  case readingStreak
}

/// How far the picture of a page is.
public enum IllustrationStatus: String, Codable, CaseIterable, Sendable {
  /// There is none, and none is wanted.
  case none
  /// It is wanted.
  case pending
  /// It is there.
  case ready
  /// It could not be made.
  case failed
}

/// How bright the reader's screens are.
public enum DarkModePreference: String, Codable, CaseIterable, Sendable {
  /// As the system.
  case system
  /// Dark text on light ground.
  case light
  /// Light text on dark ground.
  case dark
}

/// How a child likes to read.
public struct ReadingSettings: Codable, Hashable, Sendable {
  /// Whether stories are read aloud.
  public var usesTextToSpeech: Bool
  /// The voice; nil for the system's.
  public var preferredVoice: String?
  /// How bright the screens are.
  public var darkMode: DarkModePreference

  /// Makes settings.
  public init(
    usesTextToSpeech: Bool = false, preferredVoice: String? = nil,
    darkMode: DarkModePreference = .system
  ) {
    self.usesTextToSpeech = usesTextToSpeech
    self.preferredVoice = preferredVoice
    self.darkMode = darkMode
  }
}
