import ArgumentParser
import CommandParts
import Foundation
import StoriesCore
import TerminalView

/// Shows the library in a terminal, live.
struct Read: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read stories in a terminal.",
    discussion:
      "Without a terminal, the stories are printed as by 'stories list', or the story that is named."
  )

  @OptionGroup var store: StoreOptions

  @Option(name: .customLong("story"), help: "The id of a story to print.")
  var storyID: String?

  func run() async throws {
    let store = try store.openExisting()
    let library = try Terminal.reporting { try StoryLibrary(store) }
    if let storyID { return try await print(storyID, of: library) }
    let wasRead = try await Terminal.reporting {
      try await TerminalBrowser.run(StoryPlaces(library: library))
    }
    if wasRead { return }
    try await Terminal.reporting {
      for row in try await library.rows() {
        Swift.print(Terminal.printable("\(row.id.uuidString)  \(row.title)"))
      }
    }
  }

  private func print(_ text: String, of library: StoryLibrary) async throws {
    guard let id = UUID(uuidString: text) else {
      Terminal.complain("“\(text)” is no id of a story. 'stories list' shows the ids.")
      throw ExitCode.failure
    }
    let story = try await Terminal.reporting { try await library.story(id) }
    Swift.print(Terminal.printable(story.title))
    for page in story.pages { Swift.print("\n" + Terminal.printable(page.text)) }
  }
}

/// The lists of the reading application in a terminal.
///
/// A value over shared state; usable anywhere.
struct StoryPlaces: TerminalPlaces {
  /// What a list shows.
  enum Place: Hashable, Sendable {
    case shelf(search: String)
    case story(UUID, title: String, page: Int)
  }

  let library: StoryLibrary
  let start = Place.shelf(search: "")
  let help = "/ search · f favourite · r read to the end · n p pages"

  func title(of place: Place) -> String {
    switch place {
    case .shelf(let search): search.isEmpty ? "Shelf" : "Shelf: \(search)"
    case .story(_, let title, let page): "\(title), page \(page)"
    }
  }

  func place(opening row: TerminalRow, in place: Place) -> Place? {
    guard case .shelf = place, let id = UUID(uuidString: row.id) else { return nil }
    return .story(id, title: row.text, page: 1)
  }

  func page(of place: Place, by step: Int) -> Place? {
    guard case .story(let id, let title, let page) = place, page + step >= 1 else { return nil }
    return .story(id, title: title, page: page + step)
  }

  func action(of key: Character, in place: Place, row: TerminalRow?) -> TerminalAction<Place>? {
    switch (key, place) {
    case ("/", _): .ask("Search") { .open(.shelf(search: $0)) }
    case ("f", .shelf): row.flatMap { UUID(uuidString: $0.id) }.map { toggleFavorite($0) }
    case ("f", .story(let id, _, _)): toggleFavorite(id)
    case ("r", .story(let id, _, _)): finish(id)
    default: nil
    }
  }

  private func toggleFavorite(_ id: UUID) -> TerminalAction<Place> {
    .run { [library] in
      let isFavorite = try await library.storedStory(id).isFavorite
      try await library.setFavorite(!isFavorite, id)
      return isFavorite ? "No longer a favourite." : "A favourite."
    }
  }

  private func finish(_ id: UUID) -> TerminalAction<Place> {
    .run { [library] in
      let outcome = try await library.finishReading(id)
      let earned = outcome.earned.map(\.name)
      return earned.isEmpty ? "Counted as read." : "Earned: \(earned.joined(separator: ", "))."
    }
  }

  func follow(
    _ place: Place, _ show: @escaping @Sendable ([TerminalRow]) -> Void
  ) async throws {
    let changes = library.store.changes()
    show(try await rows(of: place))
    for await _ in changes { show(try await rows(of: place)) }
  }

  private func rows(of place: Place) async throws -> [TerminalRow] {
    switch place {
    case .shelf(let search):
      var query = StoryQuery()
      query.search = search
      return try await library.rows(query).map { row in
        TerminalRow(
          id: row.id.uuidString, row.title,
          detail: (row.isFavorite ? "★ " : "") + "read \(row.readCount)×",
          style: row.readCount == 0 ? .strong : .plain)
      }
    case .story(let id, _, let page):
      let pages = try await library.storedStory(id).pages
      guard page <= pages.count else { return [] }
      return [
        TerminalRow(id: "page", pages[page - 1].text, wraps: true),
        TerminalRow(id: "place", "Page \(page) of \(pages.count)", style: .muted),
      ]
    }
  }
}
