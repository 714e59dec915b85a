import Foundation

/// A generator of stories from templates, without a network and without a language model.
///
/// The same request with the same seed returns the same story.
public struct StoryGenerator: Sendable {
  /// Creates a generator.
  public init() {}

  /// Generates a story.
  ///
  /// - Parameters:
  ///   - request: The request. Defaults replace empty names and lists.
  ///   - seed: The seed of the random choices.
  /// - Returns: A title, and a text of at least two pages.
  public func story(for request: StoryRequest, seed: UInt64) -> StoryText {
    var chance = SeededChoice(seed: seed)
    let template = StoryTemplate.of(request.theme)
    let cast = Cast(request, template, &chance)
    let title = cast.fill(chance.pick(template.titles))
    var scenes = [chance.pick(template.openings), chance.pick(StoryTemplate.likings)]
    scenes.append(chance.pick(template.problems))
    scenes += chance.pick(Self.attempts(request.length), of: template.attempts)
    if request.length == .long { scenes.append(chance.pick(StoryTemplate.rests)) }
    scenes.append(chance.pick(template.turns))
    scenes.append(chance.pick(template.endings))
    scenes.append(chance.pick(StoryTemplate.closings(for: request.ageGroup)))
    return StoryText(
      title: title, content: scenes.map(cast.fill).joined(separator: "\n\n"),
      ageGroup: request.ageGroup, theme: request.theme.rawValue, mainCharacter: cast.hero)
  }

  private static func attempts(_ length: StoryLength) -> Int {
    switch length {
    case .short: 1
    case .medium: 2
    case .long: 4
    }
  }
}

/// The values for the placeholders of a template.
private struct Cast {
  let hero: String
  private let values: [(place: String, value: String)]

  init(_ request: StoryRequest, _ template: StoryTemplate, _ chance: inout SeededChoice) {
    hero = Self.line(request.childName).isEmpty ? "Robin" : Self.line(request.childName)
    let characters = request.characters.map(Self.line).filter { !$0.isEmpty }.map(Self.name)
    let interests = request.interests.map(Self.line).filter { !$0.isEmpty }
    values = [
      ("{friend}", chance.pick(characters, or: chance.pick(StoryTemplate.companions))),
      ("{interest}", chance.pick(interests, or: chance.pick(StoryTemplate.interests))),
      ("{place}", chance.pick(template.places)),
      ("{thing}", chance.pick(template.things)),
      ("{helper}", chance.pick(StoryTemplate.helpers)),
      ("{weather}", chance.pick(StoryTemplate.weathers)),
      ("{snack}", chance.pick(StoryTemplate.snacks)),
      ("{hero}", hero),
    ]
  }

  /// Returns a text of the profile as one line.
  private static func line(_ text: String) -> String {
    text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
  }

  /// Returns a character's name for use in a sentence: "dragon" becomes "the dragon".
  private static func name(_ character: String) -> String {
    let articles = ["a ", "an ", "the "]
    if character.first?.isUppercase == true { return character }
    for article in articles where character.hasPrefix(article) {
      return "the \(character.dropFirst(article.count))"
    }
    return "the \(character)"
  }

  /// Returns a template with its placeholders filled. Values at the start of a sentence begin with a capital letter.
  ///
  /// Braces in a name stay unchanged, because each placeholder is filled once.
  func fill(_ template: String) -> String {
    var text = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      text += rest[..<start]
      let place = String(rest[start...end])
      let value = values.first { $0.place == place }?.value ?? place
      let isFirst = text.isEmpty || Self.endsSentence(text)
      text += isFirst ? value.prefix(1).uppercased() + value.dropFirst() : value
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  private static func endsSentence(_ text: String) -> Bool {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    guard let last = trimmed.last else { return true }
    if last == "“" {
      return trimmed.dropLast().trimmingCharacters(in: .whitespaces).last.map {
        ".!?,:”".contains($0)
      } ?? true
    }
    return trimmed.count < text.count && ".!?".contains(last)
      || trimmed.hasSuffix("!”") || trimmed.hasSuffix("?”") || trimmed.hasSuffix(".”")
  }
}
