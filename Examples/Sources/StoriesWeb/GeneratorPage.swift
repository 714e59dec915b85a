import Foundation
import StoriesCore
import WebPages

/// The form that generates a story from templates.
struct GeneratorPage: Sendable {
  let parts: StoryParts
  /// A closure that returns a seed when the reader enters none.
  let seed: @Sendable () -> UInt64

  /// Returns the response to a request for the form; nil for other requests.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.path == ["new"] else { return nil }
    if request.method == .get { return .page(form(try await makeRequest())) }
    return try await make(request)
  }

  private func make(_ request: WebRequest) async throws -> WebAnswer {
    var wanted = try await makeRequest(
      ageGroup: request.form["age"].flatMap { Int($0) }.flatMap(AgeGroup.init),
      theme: request.form["theme"].flatMap(StoryTheme.init),
      length: request.form["length"].flatMap(StoryLength.init) ?? .medium)
    wanted.childName = request.typed("name")
    let typed = request.typed("seed")
    guard let seed = typed.isEmpty ? seed() : UInt64(typed) else {
      return .page(
        form(
          wanted, seed: typed, problem: "The seed must be a whole number of at least 0, or empty."),
        status: 422)
    }
    let text = StoryGenerator().story(for: wanted, seed: seed)
    let name = wanted.childName
    let story = try await parts.library.add(text, childName: name.isEmpty ? nil : name)
    return .redirect("/stories/\(story.id.uuidString)")
  }

  /// Returns the request that follows from the profile and from what the reader has chosen.
  private func makeRequest(
    ageGroup: AgeGroup? = nil, theme: StoryTheme? = nil, length: StoryLength = .medium
  ) async throws -> StoryRequest {
    let clock = parts.library.store.clock
    return StoryRequest(
      try await parts.library.profile(), at: clock.now(), in: clock.calendar(),
      ageGroup: ageGroup, theme: theme, length: length)
  }

  private func form(_ wanted: StoryRequest, seed: String = "", problem: String? = nil) -> Markup {
    StoryParts.plain("New story", path: "/new") {
      Markup.notice(problem)
      element(.form, .class("writing"), Attribute("method", "post"), Attribute("action", "/new")) {
        Markup.field("name", "Child's name", value: wanted.childName)
        Markup.choice(
          "theme", "Theme", StoryTheme.allCases.map { ($0.rawValue, $0.rawValue.capitalized) },
          chosen: wanted.theme.rawValue)
        Markup.choice(
          "length", "Length", StoryLength.allCases.map { ($0.rawValue, $0.rawValue.capitalized) },
          chosen: wanted.length.rawValue)
        Markup.choice("age", "Age", StoryParts.ages, chosen: "\(wanted.ageGroup.rawValue)")
        Markup.field(
          "seed", "Seed (the same seed produces the same story)", value: seed,
          Attribute("inputmode", "numeric"))
        element(.button) { "Create the story" }
      }
    }
  }
}
