import ForumHTML
import Foundation
import StoriesCore
import StoriesWeb
import Testing
import WebTestClient

/// The form for the child's profile and the reading settings, without any script, and what the settings change.
@Suite("The profile in pages", .serialized)
struct ProfilePageTests {
  private func form(_ trial: StoriesTrial) async throws -> HTMLElement {
    try #require(try await trial.page("/profile").first(".writing"))
  }

  @Test("the form changes the date of birth, the themes and the settings, and shows them again")
  func settings() async throws {
    try await StoriesTrial.run { trial in
      #expect(
        try await trial.submit(
          form(trial),
          [
            "name": "Ada", "birthday": "2019-05-06", "theme-courage": "on", "theme-bedtime": "on",
            "readsAloud": "on", "voice": " Anna ", "colorScheme": "dark",
          ]
        ).status == 303)
      let profile = try await trial.library.profile()
      #expect(profile.preferredThemes == ["courage", "bedtime"])
      #expect(
        profile.settings
          == ReadingSettings(usesTextToSpeech: true, preferredVoice: "Anna", darkMode: .dark))
      let shown = try await form(trial)
      #expect(try shown.first("#birthday")?["value"] == "2019-05-06")
      #expect(
        try shown.select("[checked]").map { $0["name"] ?? "" } == [
          "theme-courage", "theme-bedtime", "readsAloud",
        ])
      #expect(try shown.first("#colorScheme option[selected]")?["value"] == "dark")
      // A form that is sent as it is changes nothing, and neither does the time of the stored date.
      #expect(try await trial.submit(shown).status == 303)
      #expect(try await trial.library.profile() == profile)
      let cleared = ["birthday": "", "theme-courage": "", "readsAloud": "", "voice": ""]
      #expect(try await trial.submit(shown, cleared).status == 303)
      let other = try await trial.library.profile()
      #expect(other.dateOfBirth == nil && other.preferredThemes == ["bedtime"])
      #expect(other.settings == ReadingSettings(darkMode: .dark) && other.childName == "Ada")
    }
  }

  @Test("a date of birth that is not a day of the past is rejected, and nothing typed is lost")
  func wrongDates() async throws {
    try await StoriesTrial.run { trial in
      for date in ["2019-02-30", "soon", "2999-01-01"] {
        let answer = try await trial.submit(form(trial), ["name": "Ada", "birthday": date])
        #expect(answer.status == 422, "\(date)")
        let page = try HTMLParser.parse(answer.text)
        #expect(try page.first("[role=alert]")?.text.isEmpty == false)
        #expect(try page.first("#birthday")?["value"] == date)
        #expect(try page.first("#name")?["value"] == "Ada")
        #expect(try await trial.library.profile().childName.isEmpty)
        let again = try #require(try page.first(".writing"))
        #expect(try await trial.submit(again, ["name": "", "birthday": ""]).status == 303)
      }
    }
  }

  @Test("if another window has changed a setting in the meantime, the form shows both and asks")
  func conflict() async throws {
    try await StoriesTrial.run { trial in
      let (first, second) = (try await form(trial), try await form(trial))
      #expect(try await trial.submit(first, ["colorScheme": "light"]).status == 303)
      let told = try await trial.submit(second, ["voice": "Bea", "theme-kindness": "on"])
      #expect(told.status == 409)
      let page = try HTMLParser.parse(told.text)
      #expect(try page.first(".conflict .typed")?.text.contains("Color scheme: light") == true)
      #expect(try await trial.library.profile().settings == ReadingSettings(darkMode: .light))
      let again = try #require(try page.first(".writing"))
      #expect(try again.first("[name=theme-kindness]")?["checked"] != nil)
      #expect(try await trial.submit(again).status == 303)
      let profile = try await trial.library.profile()
      #expect(profile.settings == ReadingSettings(preferredVoice: "Bea"))
      #expect(profile.preferredThemes == ["kindness"])
    }
  }

  @Test("a theme without a box, which a migrated profile can have, is kept")
  func otherThemes() async throws {
    try await StoriesTrial.run { trial in
      try await trial.library.updateProfile { $0.preferredThemes = ["pirates", "courage"] }
      #expect(
        try await trial.submit(form(trial), ["theme-courage": "", "theme-bedtime": "on"]).status
          == 303)
      #expect(try await trial.library.profile().preferredThemes == ["pirates", "bedtime"])
    }
  }

  /// The color values of a style sheet.
  private func colors(_ sheet: some StringProtocol) -> [String: String] {
    let pairs = String(sheet).matches(of: /(--[a-z-]+):\s*(#[0-9a-f]+)/).map {
      (String($0.1), String($0.2))
    }
    return Dictionary(pairs) { $1 }
  }

  @Test("the pages have the color scheme of the profile, with the colors of the shared style sheet")
  func colorScheme() async throws {
    try await StoriesTrial.run { trial in
      func sheet(_ scheme: DarkModePreference) async throws -> String {
        try await trial.library.updateProfile { $0.settings.darkMode = scheme }
        return try await trial.get("/site.css").text
      }
      let system = try await sheet(.system)
      let parts = [try await trial.get("/base.css").text, system].map {
        $0.components(separatedBy: "@media (prefers-color-scheme: dark)")
      }
      #expect(parts.allSatisfy { $0.count == 2 })
      let light = colors(parts[0][0]).merging(colors(parts[1][0])) { $1 }
      // The dark values are followed by rules without values.
      let dark = light.merging(colors(parts[0][1])) { $1 }.merging(colors(parts[1][1])) { $1 }
      #expect(light.count > 5 && light["--ink"] != dark["--ink"])
      for (scheme, wanted) in [(DarkModePreference.light, light), (.dark, dark)] {
        let text = try await sheet(scheme)
        #expect(text.hasPrefix(system))
        let rest = text.dropFirst(system.count)
        #expect(rest.contains("color-scheme: \(scheme.rawValue)"))
        #expect(colors(rest) == wanted)
      }
    }
  }

  @Test("a page of a story offers to read it aloud only if the profile asks for it")
  func speech() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      let path = "/stories/\(id.uuidString)"
      #expect(try await trial.page(path).first("#speak") == nil)
      try await trial.library.updateProfile {
        $0.settings = ReadingSettings(usesTextToSpeech: true, preferredVoice: "\"Anna\"")
      }
      let page = try await trial.page(path)
      #expect(try page.first("#speak")?["data-voice"] == "\"Anna\"")
      #expect(try await trial.get("/reader.js").status == 200)
    }
  }

  @Test("the form for a new story begins with the age and the favorite theme of the child")
  func newStory() async throws {
    try await StoriesTrial.run { trial async throws in
      func chosen() async throws -> [String?] {
        let page = try await trial.page("/new")
        return try ["#age", "#theme"].map { try page.first("\($0) option[selected]")?["value"] }
      }
      #expect(try await chosen() == ["1", "adventure"])
      // The stopped clock shows January 2027.
      for (born, age) in [
        ("2022-01-20", "0"), ("2021-01-10", "1"), ("2018-01-20", "1"), ("2018-01-10", "2"),
        ("2010-01-01", "3"),
      ] {
        #expect(
          try await trial.submit(form(trial), ["birthday": born, "theme-bedtime": "on"]).status
            == 303)
        #expect(try await chosen() == [age, "bedtime"], "\(born)")
      }
    }
  }
}
