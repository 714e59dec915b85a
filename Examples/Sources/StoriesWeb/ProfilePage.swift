import Foundation
import StoriesCore
import WebPages

/// The form for the child's profile and the reading settings.
///
/// The form contains a revision, which is a hash of the original values. If the profile has other values when the form is submitted, the
/// server saves nothing. The page then shows both versions, and the reader decides.
struct ProfilePage: Sendable {
  let parts: StoryParts

  /// The values of the form.
  private struct Content {
    /// The typed values that are valid.
    var profile: ProfileValue
    /// The date of birth as typed.
    var birthday: String
    /// The hash of the values that the form replaces.
    var revision: String
    /// The reason why the profile was not saved.
    var problem: String?
  }

  /// Returns the response to a request for the form; nil for other requests.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.path == ["profile"] else { return nil }
    let current = try await parts.library.profile()
    if request.method == .get { return .page(try await page(content(of: current))) }
    return try await save(request, current)
  }

  private var calendar: Calendar { parts.library.store.clock.calendar() }

  private func text(_ field: ProfileField, of profile: ProfileValue) -> String {
    field.text(of: profile, in: calendar)
  }

  private func revision(_ profile: ProfileValue) -> String {
    StoryParts.revision(of: ProfileField.allCases.map { text($0, of: profile) })
  }

  private func content(of profile: ProfileValue) -> Content {
    Content(
      profile: profile, birthday: text(.birthday, of: profile), revision: revision(profile))
  }

  // MARK: Saving

  private func save(_ request: WebRequest, _ current: ProfileValue) async throws -> WebAnswer {
    var typed = typed(request, current)
    if typed.problem != nil { return .page(try await page(typed), status: 422) }
    do {
      guard typed.revision == revision(current) || revision(typed.profile) == revision(current)
      else { return try await conflict(typed, current) }
      try await parts.library.editProfile(from: current, to: typed.profile)
      return .redirect("/profile")
    } catch let error as StoriesError where error.code == .changedElsewhere {
      // Another window saved between the comparison and this save.
      return try await conflict(typed, try await parts.library.profile())
    } catch let error as StoriesError where error.code == .invalidValue {
      typed.problem = error.message
      return .page(try await page(typed), status: 422)
    }
  }

  /// Returns the values of a submitted form. Fields that the form does not have keep the current values.
  private func typed(_ request: WebRequest, _ current: ProfileValue) -> Content {
    var typed = content(of: current)
    typed.revision = request.form["revision"] ?? ""
    func set(_ field: ProfileField, _ text: String) {
      do { try field.set(text, of: &typed.profile, in: calendar) } catch {
        typed.problem = (error as? StoriesError)?.message ?? "\(error)"
      }
    }
    for field in [ProfileField.name, .interests, .characters, .birthday, .voice, .colorScheme]
    where request.form[field.rawValue] != nil {
      set(field, request.typed(field.rawValue, from: text(field, of: current)))
    }
    typed.birthday = request.form[ProfileField.birthday.rawValue] ?? typed.birthday
    // Browsers do not send boxes that are not checked.
    set(.readsAloud, request.form[ProfileField.readsAloud.rawValue] == nil ? "no" : "yes")
    let checked = StoryTheme.allCases.map(\.rawValue).filter {
      request.form["theme-\($0)"] != nil
    }
    // Themes without a box, which a migrated profile can have, stay.
    let kept = current.preferredThemes.filter {
      StoryTheme(rawValue: $0) == nil || checked.contains($0)
    }
    typed.profile.preferredThemes = kept + checked.filter { !kept.contains($0) }
    return typed
  }

  private func conflict(_ typed: Content, _ current: ProfileValue) async throws -> WebAnswer {
    var typed = typed
    typed.revision = revision(current)
    typed.problem =
      "The profile was changed in another window. Your changes have not been saved yet. "
      + "Compare both versions, and save the one to keep."
    return .page(try await page(typed, other: current), status: 409)
  }

  // MARK: The page

  /// Returns the page with the form.
  ///
  /// - Parameters:
  ///   - content: The values of the form.
  ///   - other: The stored profile, for comparison.
  private func page(_ content: Content, other: ProfileValue? = nil) async throws -> Markup {
    let days = try await parts.library.currentStreak()
    return StoryParts.plain("Profile", path: "/profile") {
      Markup.notice(content.problem)
      if let other {
        stored(other)
      } else {
        element(.p) {
          "\(Wording.count(days, "day")) in a row. The longest streak is "
          "\(Wording.count(content.profile.streak.longest, "day"))."
        }
      }
      element(
        .form, .class("writing"), Attribute("method", "post"), Attribute("action", "/profile")
      ) {
        Markup.hidden("revision", content.revision)
        child(content)
        settings(content.profile)
        element(.button) { other == nil ? "Save" : "Save mine" }
      }
      ReaderScript.markup
    }
  }

  private func stored(_ profile: ProfileValue) -> Markup {
    let lines = ProfileField.allCases.map { "\($0.label): \(text($0, of: profile))" }
    return element(.section, .class("conflict"), .label("The stored profile")) {
      element(.h2) { "Stored now" }
      element(.pre, .class("typed")) { lines.joined(separator: "\n") }
      element(.p) { element(.a, .href("/profile")) { "Keep the stored profile" } }
      element(.h2) { "Yours" }
    }
  }

  /// Returns the fields for the child's data.
  @MarkupBuilder
  private func child(_ content: Content) -> Markup {
    let profile = content.profile
    Markup.field("name", "Child's name", value: profile.childName)
    element(.label, Attribute("for", "birthday")) { "Date of birth" }
    element(
      .input, .id("birthday"), Attribute("type", "date"), Attribute("name", "birthday"),
      Attribute("value", content.birthday), Attribute("placeholder", "2019-05-06"))
    Markup.field(
      "interests", "Interests, separated by commas", value: text(.interests, of: profile))
    Markup.field(
      "characters", "Favorite characters, separated by commas",
      value: text(.characters, of: profile))
    element(.fieldset) {
      element(.legend) { "Favorite themes" }
      for theme in StoryTheme.allCases {
        Self.box(
          "theme-\(theme.rawValue)", theme.rawValue.capitalized,
          isChecked: profile.preferredThemes.contains(theme.rawValue))
      }
    }
  }

  /// Returns the fields for the reading settings.
  private func settings(_ profile: ProfileValue) -> Markup {
    element(.fieldset) {
      element(.legend) { "Reading settings" }
      Self.box(
        ProfileField.readsAloud.rawValue, "Read pages aloud",
        isChecked: profile.settings.usesTextToSpeech)
      Markup.field(
        "voice", "Voice (empty for the default voice)", value: text(.voice, of: profile))
      Markup.choice(
        ProfileField.colorScheme.rawValue, "Color scheme",
        DarkModePreference.allCases.map { ($0.rawValue, Self.name(of: $0)) },
        chosen: profile.settings.darkMode.rawValue)
    }
  }

  private static func name(of scheme: DarkModePreference) -> String {
    switch scheme {
    case .system: "The color scheme of the system"
    case .light: "Light"
    case .dark: "Dark"
    }
  }

  private static func box(_ name: String, _ label: String, isChecked: Bool) -> Markup {
    element(.label, .class("check")) {
      element(
        .input, Attribute("type", "checkbox"), Attribute("name", name), Attribute("value", "on"),
        isChecked ? Attribute(flag: "checked") : nil)
      " \(label)"
    }
  }
}
