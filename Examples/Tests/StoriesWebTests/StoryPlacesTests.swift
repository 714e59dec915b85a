import Foundation
import StoriesCore
import StoriesTerminal
import TerminalTrial
import TerminalView
import Testing

/// The reading application in a terminal.
@Suite("Reading stories in a terminal", .serialized)
struct StoryPlacesTests {
  /// Shows the shelf with its stories.
  private func shelf(_ trial: StoriesTrial) async throws -> TerminalTrial<StoryPlaces> {
    var terminal = TerminalTrial(StoryPlaces(trial.library))
    try await terminal.handleNext()
    return terminal
  }

  /// Deletes a story as another program does.
  private func deleteElsewhere(_ id: UUID, _ trial: StoriesTrial) async throws {
    let other = try StoryLibrary(StoriesStore(.file(trial.file)))
    try await other.deleteStories([id])
  }

  @Test("the shelf opens stories, whose pages are turned", .timeLimit(.minutes(30)))
  func reading() async throws {
    try await StoriesTrial.run { trial in
      _ = try await trial.add("Fox", "Once. Twice.")
      let id = try await trial.add("Owl", String(repeating: "A sentence of the story. ", count: 60))
      let pages = try await trial.library.storedStory(id).pages
      #expect(pages.count > 1)
      var terminal = try await shelf(trial)
      #expect(terminal.browser.list.title == "Shelf")
      #expect(Set(terminal.browser.list.rows.map(\.text)) == ["Fox", "Owl"])
      try terminal.press("/owl\r")
      try await terminal.handleNext()
      #expect(terminal.shown == ["Shelf: owl", id.uuidString])
      try terminal.press("\r")
      try await terminal.handleNext()
      #expect(terminal.browser.list.title == "Owl, page 1")
      #expect(terminal.browser.list.rows.first?.text == pages[0].displayText)
      try terminal.press("n")
      try await terminal.handleNext()
      #expect(terminal.browser.list.title == "Owl, page 2")
      #expect(terminal.browser.list.rows.last?.text == "Page 2 of \(pages.count)")
      try terminal.press("uu")
      #expect(terminal.browser.list.title == "Shelf")
    }
  }

  @Test(
    "keys mark a story as a favorite and as read; the list follows", .timeLimit(.minutes(30)))
  func keys() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      var terminal = try await shelf(trial)
      try terminal.press("f")
      try await terminal.handle { $0.status == "Added to favorites." }
      #expect(try await trial.library.storedStory(id).isFavorite)
      try await terminal.handle { $0.rows.first?.detail == "★ read 0×" }
      try terminal.press("\r")
      try await terminal.handleNext()
      try terminal.press("r")
      try await terminal.handle { $0.status == "Earned: First story." }
      try terminal.press("uf")
      try await terminal.handle { $0.status == "Removed from favorites." }
      try await terminal.handle { $0.rows.first?.detail == "read 1×" }
    }
  }

  @Test(
    "c shows the child's profile, and e changes one of its lines; a wrong value changes nothing",
    .timeLimit(.minutes(30)))
  func profile() async throws {
    try await StoriesTrial.run { trial in
      try await trial.library.updateProfile { $0.childName = "Ada\nLovelace" }
      var terminal = try await shelf(trial)
      try terminal.press("c")
      try await terminal.handleNext()
      #expect(terminal.browser.list.title == "The child's profile")
      #expect(
        terminal.browser.list.rows.map(\.text) == [
          "Name: Ada Lovelace", "Date of birth: ", "Interests: ", "Favorite themes: ",
          "Favorite characters: ", "Read aloud: no", "Voice: ", "Color scheme: system",
          "Days in a row: 0",
        ])
      for (line, typed) in [
        (0, "Bea"), (1, "2019-05-06"), (2, "owls, maps"), (3, "Courage, bedtime"), (5, "yes"),
        (7, "dark"),
      ] {
        try terminal.press(String(repeating: "k", count: 10) + String(repeating: "j", count: line))
        try terminal.press("e\(typed)\r")
        try await terminal.handle { $0.status == "Saved." }
      }
      let profile = try await trial.library.profile()
      #expect((profile.childName, profile.interests) == ("Bea", ["owls", "maps"]))
      #expect(profile.preferredThemes == ["courage", "bedtime"])
      #expect(profile.settings == ReadingSettings(usesTextToSpeech: true, darkMode: .dark))
      try await terminal.handle { $0.rows.contains { $0.text == "Date of birth: 2019-05-06" } }
      try await terminal.handle { $0.rows.contains { $0.text == "Color scheme: dark" } }
      for (line, typed) in [(1, "soon"), (1, "2999-01-01"), (3, "cars"), (5, "maybe"), (7, "pink")]
      {
        try terminal.press(String(repeating: "k", count: 10) + String(repeating: "j", count: line))
        try terminal.press("e\(typed)\r")
        try await terminal.handle { $0.status.contains("[invalidValue]") }
      }
      #expect(try await trial.library.profile() == profile)
      try terminal.press("ku")
      #expect(terminal.browser.list.title == "Shelf")
    }
  }

  @Test("a title with a line break is one row of the shelf", .timeLimit(.minutes(30)))
  func lineBreak() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl\nand fox")
      let terminal = try await shelf(trial)
      #expect(terminal.browser.list.rows.map(\.text) == ["Owl and fox"])
      let listed = try trial.program("stories", ["list", "--store", trial.file.path]).output
      #expect(listed.hasPrefix("\(id.uuidString)  Owl and fox (bedtime, read 0 times)\n"))
      let printed = try trial.program("stories", ["read", "--store", trial.file.path]).output
      #expect(printed == "\(id.uuidString)  Owl and fox\n")
    }
  }

  @Test("the deletion of a story elsewhere is shown below the list", .timeLimit(.minutes(30)))
  func deleted() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      var terminal = try await shelf(trial)
      try await deleteElsewhere(id, trial)
      try terminal.press("f")
      try await terminal.handle { $0.status.contains("story") && !$0.status.contains("search") }
      try await terminal.handle { $0.rows.isEmpty }
    }
  }

  @Test("a story that is deleted elsewhere while it is open is empty", .timeLimit(.minutes(30)))
  func deletedWhileOpen() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      var terminal = try await shelf(trial)
      try terminal.press("\r")
      try await terminal.handle { !$0.rows.isEmpty }
      try await deleteElsewhere(id, trial)
      try await terminal.handle { $0.rows.isEmpty }
      #expect(terminal.shown == ["Owl, page 1"])
      try terminal.press("u")
      #expect(terminal.browser.list.title == "Shelf")
    }
  }
}
