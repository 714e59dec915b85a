/// What a reader writes of a story: all that its form has.
public struct StoryText: Hashable, Sendable {
  /// The title; a story has one.
  public var title: String
  /// The text, which is split into pages.
  public var content: String
  /// For whom it is.
  public var ageGroup: AgeGroup
  /// What it is about.
  public var theme: String
  /// Who it is about.
  public var mainCharacter: String

  /// Makes a text.
  public init(
    title: String, content: String, ageGroup: AgeGroup = .sixToEight, theme: String = "",
    mainCharacter: String = ""
  ) {
    self.title = title
    self.content = content
    self.ageGroup = ageGroup
    self.theme = theme
    self.mainCharacter = mainCharacter
  }

  /// The text that a story has.
  public init(_ story: StoryValue) {
    self.init(
      title: story.title, content: story.content, ageGroup: story.ageGroup, theme: story.theme,
      mainCharacter: story.mainCharacter)
  }
}
