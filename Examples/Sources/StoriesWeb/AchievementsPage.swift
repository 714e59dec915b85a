import Foundation
import StoriesCore
import WebPages

/// The page with the child's achievements and current streak.
struct AchievementsPage: Sendable {
  let parts: StoryParts

  /// Returns the response to a request for the page; nil for other requests.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.method == .get, request.path == ["achievements"] else { return nil }
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
}
