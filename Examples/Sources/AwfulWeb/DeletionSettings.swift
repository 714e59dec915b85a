import AwfulCore
import WebPages

/// The part of the settings page about the deletion of old content.
enum DeletionSettings {
  /// The age in days at which the button deletes threads if they are not deleted automatically.
  static let standardDays = 30
  private static let dayChoices = [7, 30, 90]
  private static let megabyteChoices = [100, 500, 1_000, 5_000]

  /// Returns the policy that a form contains; nil if the form lacks a value, or has one that the page does not offer.
  ///
  /// - Parameters:
  ///   - form: The fields of the form.
  ///   - current: The reader's policy, whose values the page also offers.
  static func policy(
    _ form: [String: String], current: AutomaticDeletion.Policy
  ) -> AutomaticDeletion.Policy? {
    guard let days = form["days"], let megabytes = form["megabytes"] else { return nil }
    let policy = AutomaticDeletion.Policy(days: Int(days), megabytes: Int(megabytes))
    let isOffered =
      choices(dayChoices, current.days, none: "").contains { $0.value == days }
      && choices(megabyteChoices, current.megabytes, none: "").contains { $0.value == megabytes }
    return isOffered ? policy : nil
  }

  /// Returns the description of the policy, the form that changes it, and the button that deletes old threads now.
  ///
  /// - Parameters:
  ///   - policy: The reader's policy.
  ///   - record: The latest automatic deletion; nil before the first one.
  @MarkupBuilder
  static func markup(
    _ policy: AutomaticDeletion.Policy, _ record: AutomaticDeletion.Record?
  ) -> Markup {
    element(.p) {
      "Threads that are no longer on any list can be deleted automatically, unless they are bookmarked or saved, "
        + "contain bookmarked posts, or are on an open page. Listed threads are kept."
    }
    if let record, let date = record.deletedAt {
      element(.p, .id("last-deletion")) {
        "On \(Wording.day(date)), \(Wording.count(record.threadCount, "thread")) and "
          + "\(Wording.count(record.postCount, "post")) were deleted automatically."
      }
    }
    Markup.form(to: "/settings/deletion", back: "/settings") {
      Markup.choice(
        "days", "Delete after",
        choices(dayChoices, policy.days, none: "Never") { "\($0) days" }, chosen: text(policy.days))
      Markup.choice(
        "megabytes", "Size limit",
        choices(megabyteChoices, policy.megabytes, none: "No limit") { "\($0) MB" },
        chosen: text(policy.megabytes))
      element(.button, .class("quiet")) { "Save" }
    }
    element(.p) { "The button deletes threads that were not fetched for \(days(policy)) days." }
    Markup.button("Delete old threads", to: "/settings/prune", back: "/settings")
  }

  /// Returns the age in days at which the button deletes threads.
  static func days(_ policy: AutomaticDeletion.Policy) -> Int {
    policy.days.flatMap { $0 < 1 ? nil : $0 } ?? standardDays
  }

  private static func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "" }

  /// Returns the choices of a number, including the current one.
  private static func choices(
    _ numbers: [Int], _ current: Int?, none: String, _ label: (Int) -> String = { "\($0)" }
  ) -> [(value: String, text: String)] {
    let all = Set(numbers + [current].compactMap { $0 }).sorted()
    return all.map { ("\($0)", label($0)) } + [("", none)]
  }
}
