import Foundation
import StoriesCore
import WebPages

/// What the library knows of the child: the profile and the achievements.
struct ChildPages: Sendable {
  let parts: StoryParts

  /// Answers a request for these pages; nil for any other.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    switch (request.method, request.path) {
    case (.get, ["achievements"]): return try await achievements()
    case (.get, ["profile"]): return .page(try await profile())
    case (.post, ["profile"]):
      let name = request.typed("name")
      let interests = Self.list(request.typed("interests"))
      let characters = Self.list(request.typed("characters"))
      try await parts.library.updateProfile { profile in
        profile.childName = name
        profile.interests = interests
        profile.favoriteCharacters = characters
      }
      return .redirect("/profile")
    default: return nil
    }
  }

  /// The parts of a text between commas.
  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }

  private func achievements() async throws -> WebAnswer {
    let library = parts.library
    let shown = try await parts.show("achievements", key: "achievements") {
      try await library.earnedAchievements().map(Self.row)
    }
    let days = try await library.currentStreak()
    return parts.live("Achievements", path: "/achievements", shown) {
      element(.p) { "\(Wording.count(days, "day")) in a row." }
      shown.markup(empty: "Read a story to its end to earn the first one.")
    }
  }

  private static func row(_ achievement: AchievementValue) -> LiveRow {
    let id = "achievement-\(achievement.id.uuidString)"
    let markup = element(.li, .id(id)) {
      element(.div, .class("row")) {
        element(.span, .class("title")) { achievement.name }
        if let date = achievement.earnedAt {
          element(.time, Attribute("datetime", Wording.machineDate(date))) { Wording.day(date) }
        }
        element(.span, .class("meta")) { achievement.descriptionText }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  private func profile() async throws -> Markup {
    let profile = try await parts.library.profile()
    let days = try await parts.library.currentStreak()
    return StoryParts.plain("Profile", path: "/profile") {
      element(.p) {
        "\(Wording.count(days, "day")) in a row; the longest streak had "
        "\(Wording.count(profile.streak.longest, "day"))."
      }
      element(
        .form, .class("writing"), Attribute("method", "post"), Attribute("action", "/profile")
      ) {
        Markup.field("name", "Name of the child", value: profile.childName)
        Markup.field(
          "interests", "Interests, with commas between them",
          value: profile.interests.joined(separator: ", "))
        Markup.field(
          "characters", "Favourite characters, with commas between them",
          value: profile.favoriteCharacters.joined(separator: ", "))
        element(.button) { "Save" }
      }
    }
  }
}
