/// The part of a story that the reader edits: all fields of the form.
public struct StoryText: Hashable, Sendable {
  /// The title, which is required.
  public var title: String
  /// The text, which is split into pages. White space at its start and end is not stored.
  public var content: String
  /// The age group.
  public var ageGroup: AgeGroup
  /// The theme.
  public var theme: String
  /// The main character.
  public var mainCharacter: String

  /// Creates a text.
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

  /// Creates the text of a story.
  public init(_ story: StoryValue) {
    self.init(
      title: story.title, content: story.content, ageGroup: story.ageGroup, theme: story.theme,
      mainCharacter: story.mainCharacter)
  }
}
