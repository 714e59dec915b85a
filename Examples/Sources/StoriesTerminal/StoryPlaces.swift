package import Foundation
package import StoriesCore
package import TerminalView

/// The lists of the reading application in a terminal.
///
/// > Concurrency: A value type over shared state; usable on any thread.
package struct StoryPlaces: TerminalPlaces {
  /// The content of a list.
  package enum Place: Hashable, Sendable {
    case shelf(search: String)
    case story(UUID, title: String, page: Int)
    case profile
  }

  private let library: StoryLibrary

  /// Creates the lists of a library.
  package init(_ library: StoryLibrary) { self.library = library }

  package let start = Place.shelf(search: "")
  package let help = "/ search · f favorite · r read to the end · c child · ? keys"
  package let furtherKeys = "e changes a line of the child's profile"

  package func title(of place: Place) -> String {
    switch place {
    case .shelf(let search): search.isEmpty ? "Shelf" : "Shelf: \(search)"
    case .story(_, let title, let page): "\(title), page \(page)"
    case .profile: "The child's profile"
    }
  }

  package func place(opening row: TerminalRow, in place: Place) -> Place? {
    guard case .shelf = place, let id = UUID(uuidString: row.id) else { return nil }
    return .story(id, title: row.text, page: 1)
  }

  package func page(of place: Place, by step: Int) -> Place? {
    guard case .story(let id, let title, let page) = place, page + step >= 1 else { return nil }
    return .story(id, title: title, page: page + step)
  }

  package func action(of key: Character, in place: Place, row: TerminalRow?) -> TerminalAction<
    Place
  >? {
    switch (key, place) {
    case ("/", _): .ask("Search") { .open(.shelf(search: $0)) }
    case ("f", .shelf): row.flatMap { UUID(uuidString: $0.id) }.map { toggleFavorite($0) }
    case ("f", .story(let id, _, _)): toggleFavorite(id)
    case ("r", .story(let id, _, _)): finish(id)
    case ("c", .shelf), ("c", .story): .open(.profile)
    case ("e", .profile): row.flatMap { ProfileField(rawValue: $0.id) }.map { edit($0) }
    default: nil
    }
  }

  private func toggleFavorite(_ id: UUID) -> TerminalAction<Place> {
    .run { [library] in
      let isFavorite = try await library.storedStory(id).isFavorite
      try await library.setFavorite(!isFavorite, id)
      return isFavorite ? "Removed from favorites." : "Added to favorites."
    }
  }

  /// Asks for the new value of a line of the profile, and saves it.
  private func edit(_ field: ProfileField) -> TerminalAction<Place> {
    .ask(field.label) { [library] typed in
      .run {
        let calendar = library.store.clock.calendar()
        try await library.updateProfile { try field.set(typed, of: &$0, in: calendar) }
        return "Saved."
      }
    }
  }

  private func finish(_ id: UUID) -> TerminalAction<Place> {
    .run { [library] in
      let outcome = try await library.finishReading(id)
      let earned = outcome.earned.map(\.name)
      return earned.isEmpty ? "Marked as read." : "Earned: \(earned.joined(separator: ", "))."
    }
  }

  package func follow(
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
          id: row.id.uuidString, CellText.line(row.title),
          detail: (row.isFavorite ? "★ " : "") + "read \(row.readCount)×",
          style: row.readCount == 0 ? .strong : .plain)
      }
    case .story(let id, _, let page): return try await rows(ofStory: id, page)
    case .profile: return try await profileRows()
    }
  }

  /// Returns the rows of a page; none if the page does not exist, for example because another window has deleted the story.
  private func rows(ofStory id: UUID, _ page: Int) async throws -> [TerminalRow] {
    let pages: [PageValue]
    do { pages = try await library.storedStory(id).pages } catch let error as StoriesError
      where error.code == .notFound
    { return [] }
    guard page <= pages.count else { return [] }
    return [
      TerminalRow(id: "page", pages[page - 1].displayText, wraps: true),
      TerminalRow(id: "place", "Page \(page) of \(pages.count)", style: .muted),
    ]
  }

  private func profileRows() async throws -> [TerminalRow] {
    let calendar = library.store.clock.calendar()
    let profile = try await library.profile()
    let fields = ProfileField.allCases.map { field in
      TerminalRow(
        id: field.rawValue,
        "\(field.label): \(CellText.line(field.text(of: profile, in: calendar)))", wraps: true)
    }
    let days = profile.streak.currentDays(at: library.store.clock.now(), in: calendar)
    return fields + [TerminalRow(id: "streak", "Days in a row: \(days)", style: .heading)]
  }
}
