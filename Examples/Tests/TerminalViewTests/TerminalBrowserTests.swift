import Foundation
import Synchronization
import TerminalTrial
import TerminalView
import Testing

/// Places in a terminal: the actions of keys.
@Suite("Browsing in a terminal")
struct TerminalBrowserTests {
  /// A shelf with boxes; `x` fails, `w` works, `s` asks for a box, `c` shows one instead.
  private struct Boxes: TerminalPlaces {
    enum Place: Hashable, Sendable { case shelf(page: Int), box(String) }
    let start = Place.shelf(page: 1)
    let help = "help"

    func title(of place: Place) -> String { "\(place)" }

    func follow(
      _ place: Place, _ show: @escaping @Sendable ([TerminalRow]) -> Void
    ) async throws {
      switch place {
      case .shelf(let page) where page > 2: show([])
      case .shelf(let page): show([TerminalRow(id: "a\(page)", "A"), TerminalRow(id: "b", "B")])
      case .box("broken"): throw CocoaError(.fileReadCorruptFile)
      case .box(let name): show([TerminalRow(id: name, name)])
      }
    }

    func place(opening row: TerminalRow, in place: Place) -> Place? {
      if case .shelf = place { .box(row.id) } else { nil }
    }

    func page(of place: Place, by step: Int) -> Place? {
      if case .shelf(let page) = place, page + step >= 1 { .shelf(page: page + step) } else { nil }
    }

    func action(
      of key: Character, in place: Place, row: TerminalRow?
    ) -> TerminalAction<Place>? {
      switch key {
      case "w": .run { "worked" }
      case "x": .run { throw CocoaError(.fileNoSuchFile) }
      case "c": .replace(.box("c"))
      case "s": .ask("Box") { $0.isEmpty ? nil : .open(.box($0)) }
      default: nil
      }
    }
  }

  @Test("Enter opens the chosen row, u goes back, and the first place stays")
  func opening() async throws {
    var trial = TerminalTrial(Boxes())
    try await trial.handleNext()
    #expect(trial.shown == ["shelf(page: 1)", "a1", "b"])
    try trial.press("j\r")
    try await trial.handleNext()
    #expect(trial.shown == ["box(\"b\")", "b"])
    try trial.press("\r")
    #expect(trial.shown.first == "box(\"b\")")
    try trial.press("uuu")
    #expect(trial.shown == ["shelf(page: 1)", "a1", "b"])
    #expect(trial.browser.list.selectedRow?.id == "b")
  }

  @Test("a key that shows another place instead leaves nothing to go back to")
  func replacing() async throws {
    var trial = TerminalTrial(Boxes())
    try await trial.handleNext()
    try trial.press("c")
    try await trial.handleNext()
    #expect(trial.shown == ["box(\"c\")", "c"])
    try trial.press("u")
    #expect(trial.shown == ["box(\"c\")", "c"])
  }

  @Test("n and p turn pages, up to one page after the last")
  func pages() async throws {
    var trial = TerminalTrial(Boxes())
    try await trial.handleNext()
    for page in 2...3 {
      try trial.press("n")
      try await trial.handleNext()
      #expect(trial.shown.first == "shelf(page: \(page))")
    }
    try trial.press("n")
    #expect(trial.shown == ["shelf(page: 3)"])
    for page in [2, 1] {
      try trial.press("p")
      try await trial.handleNext()
      #expect(trial.shown == ["shelf(page: \(page))", "a\(page)", "b"])
    }
    try trial.press("p")
    #expect(trial.shown.first == "shelf(page: 1)")
  }

  @Test(
    "an input line is below the list; keys are its text until Enter, and Backspace leaves an empty line"
  )
  func questions() async throws {
    var trial = TerminalTrial(Boxes())
    try await trial.handleNext()
    try trial.press("sqj")
    #expect(trial.browser.list.status == "Box: qj▏" && !trial.browser.isOver)
    try trial.press("\u{8}\r")
    try await trial.handleNext()
    #expect(trial.shown == ["box(\"q\")", "q"] && trial.browser.list.status == "help")
    try trial.press("s\u{8}")
    #expect(trial.browser.list.status == "help")
    try trial.press("s\rq")
    #expect(trial.browser.isOver)
  }

  /// A place that opens itself; its row has the number of times that the place was read.
  private final class Counter: TerminalPlaces {
    let start = 0
    let help = "help"
    private let count = Atomic<Int>(0)

    func title(of place: Int) -> String { "Counter" }

    func follow(_ place: Int, _ show: @escaping @Sendable ([TerminalRow]) -> Void) async throws {
      show([TerminalRow(id: "\(count.add(1, ordering: .relaxed).newValue)", "Row")])
    }

    func place(opening row: TerminalRow, in place: Int) -> Int? { place }
    func page(of place: Int, by step: Int) -> Int? { nil }
    func action(of key: Character, in place: Int, row: TerminalRow?) -> TerminalAction<Int>? { nil }
  }

  @Test("a place that was opened twice shows its latest rows after u")
  func openedTwice() async throws {
    var trial = TerminalTrial(Counter())
    try await trial.handleNext()
    #expect(trial.shown == ["Counter", "1"])
    try trial.press("\r")
    try await trial.handleNext()
    #expect(trial.shown == ["Counter", "2"])
    try trial.press("u")
    #expect(trial.shown == ["Counter", "2"])
  }

  @Test("the result or error of a key's action is shown until the next key")
  func work() async throws {
    var trial = TerminalTrial(Boxes())
    try await trial.handleNext()
    try trial.press("w")
    try await trial.handleNext()
    #expect(trial.browser.list.status == "worked")
    try trial.press("x")
    try await trial.handleNext()
    #expect(trial.browser.list.status != "help")
    try trial.press("j")
    #expect(trial.browser.list.status == "help")
    try trial.press("?")
    #expect(trial.browser.list.status.contains("q quits"))
  }

  @Test("a place that cannot be read ends the browser with its error")
  func failure() async throws {
    var trial = TerminalTrial(Boxes())
    try await trial.handleNext()
    try trial.press("sbroken\r")
    await #expect(throws: CocoaError.self) { try await trial.handleNext() }
  }
}
