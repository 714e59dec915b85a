import Foundation
import StoriesCore
import StoriesTerminal
import TerminalTrial
import TerminalView
import Testing

/// The reading application in a terminal.
@Suite("Reading stories in a terminal", .serialized)
struct StoryPlacesTests {
  @Test("the shelf opens stories, whose pages are turned", .timeLimit(.minutes(5)))
  func reading() async throws {
    try await StoriesTrial.run { trial in
      _ = try await trial.add("Fox", "Once. Twice.")
      let id = try await trial.add("Owl", String(repeating: "A sentence of the story. ", count: 60))
      let pages = try await trial.library.storedStory(id).pages
      #expect(pages.count > 1)
      var terminal = TerminalTrial(StoryPlaces(trial.library))
      try await terminal.handleNext()
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
    "keys mark a story as a favorite and as read; the list follows", .timeLimit(.minutes(5)))
  func keys() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      var terminal = TerminalTrial(StoryPlaces(trial.library))
      try await terminal.handleNext()
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

  @Test("the deletion of a story elsewhere is shown below the list", .timeLimit(.minutes(5)))
  func deleted() async throws {
    try await StoriesTrial.run { trial in
      let id = try await trial.add("Owl")
      var terminal = TerminalTrial(StoryPlaces(trial.library))
      try await terminal.handleNext()
      let other = try StoryLibrary(StoriesStore(.file(trial.file)))
      try await other.deleteStories([id])
      try terminal.press("f")
      try await terminal.handle { $0.status.contains("story") && !$0.status.contains("search") }
      try await terminal.handle { $0.rows.isEmpty }
    }
  }
}
