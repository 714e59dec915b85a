import Foundation
import StoriesCore
import WebPages

/// The pages about the child: the profile and the achievements.
struct ChildPages: Sendable {
  let parts: StoryParts

  /// Returns the response to a request for these pages; nil for other requests.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    switch (request.method, request.path) {
    case (.get, ["achievements"]): return try await achievements()
    case (.get, ["profile"]): return .page(try await profile())
    case (.post, ["profile"]):
      return try await save(request)
    default: return nil
    }
  }

  /// Returns the comma-separated parts of a typed text, or the stored list if its text was not changed: a part may contain a comma.
  private static func list(_ typed: String, replacing stored: [String]) -> [String] {
    if typed == text(stored) { return stored }
    return typed.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
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
      shown.markup(empty: "Read a story to the end to earn your first achievement.")
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
    return try await form(profile, from: profile)
  }

  private func save(_ request: WebRequest) async throws -> WebAnswer {
    let current = try await parts.library.profile()
    var typed = current
    typed.childName = request.typed("name")
    typed.interests = Self.list(request.typed("interests"), replacing: current.interests)
    typed.favoriteCharacters = Self.list(
      request.typed("characters"), replacing: current.favoriteCharacters)
    do {
      guard
        request.form["revision"] == Self.revision(current)
          || Self.revision(typed) == Self.revision(current)
      else { return try await conflict(typed, current) }
      try await parts.library.editProfile(from: current, to: typed)
    } catch let error as StoriesError where error.code == .changedElsewhere {
      // Another window saved between the comparison and this save.
      return try await conflict(typed, try await parts.library.profile())
    }
    return .redirect("/profile")
  }

  private func conflict(_ typed: ProfileValue, _ current: ProfileValue) async throws -> WebAnswer {
    .page(try await form(typed, from: current, isConflict: true), status: 409)
  }

  private static func revision(_ profile: ProfileValue) -> String {
    StoryParts.revision(
      of: [profile.childName] + profile.interests + [""] + profile.favoriteCharacters)
  }

  private static func text(_ list: [String]) -> String { list.joined(separator: ", ") }

  /// Returns the page with the form.
  ///
  /// - Parameters:
  ///   - profile: The values of the fields.
  ///   - base: The stored profile, which the form replaces.
  ///   - isConflict: Whether another window has changed the profile in the meantime.
  private func form(
    _ profile: ProfileValue, from base: ProfileValue, isConflict: Bool = false
  ) async throws -> Markup {
    let days = try await parts.library.currentStreak()
    return StoryParts.plain("Profile", path: "/profile") {
      if isConflict {
        Markup.notice(
          "The profile was changed in another window. Your changes have not been saved yet. "
            + "Compare both versions, and save the one to keep.")
        element(.section, .class("conflict"), .label("The stored profile")) {
          element(.h2) { "Stored now" }
          element(.pre, .class("typed")) {
            "Name: \(base.childName)\nInterests: \(Self.text(base.interests))\n"
            "Favorite characters: \(Self.text(base.favoriteCharacters))"
          }
          element(.p) { element(.a, .href("/profile")) { "Keep the stored profile" } }
          element(.h2) { "Yours" }
        }
      } else {
        element(.p) {
          "\(Wording.count(days, "day")) in a row. The longest streak is "
          "\(Wording.count(profile.streak.longest, "day"))."
        }
      }
      element(
        .form, .class("writing"), Attribute("method", "post"), Attribute("action", "/profile")
      ) {
        Markup.hidden("revision", Self.revision(base))
        Markup.field("name", "Child's name", value: profile.childName)
        Markup.field(
          "interests", "Interests, separated by commas", value: Self.text(profile.interests))
        Markup.field(
          "characters", "Favorite characters, separated by commas",
          value: Self.text(profile.favoriteCharacters))
        element(.button) { isConflict ? "Save mine" : "Save" }
      }
    }
  }
}
