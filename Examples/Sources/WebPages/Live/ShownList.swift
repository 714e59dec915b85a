/// A live list in the state that a new page shows.
///
/// > Concurrency: A value type; usable on any thread.
public struct ShownList: Sendable {
  /// The key of the list's content, with which the page requests the event stream.
  public let key: String
  /// The id of the list's element.
  public let list: String
  /// The state that the page shows.
  public let state: LiveList.State

  /// The rows, without the list's element.
  public var rows: Markup { Markup(trusted: state.rows.map(\.markup.source).joined()) }

  /// Returns the list element, and the text to show while the list has no rows.
  @MarkupBuilder
  public func markup(empty: String, _ attributes: Attribute...) -> Markup {
    element(.ol, [.id(list), .class("rows")] + attributes) { rows }
    element(.p, .class("empty")) { empty }
  }

  /// Returns the path of the event stream for a page that shows lists.
  public static func events(of lists: [ShownList]) -> String {
    let states = lists.map { "\($0.key)@\($0.state.revision)" }.joined(separator: ",")
    return "/events?lists=\(PagePath.part(states))"
  }
}

extension LiveLists {
  /// Returns the list with a key and its current state, and creates the list if it does not exist.
  ///
  /// - Throws: An error of loading the rows.
  public func show(_ key: String, _ make: @Sendable () -> LiveList) async throws -> ShownList {
    let list = await list(key, make)
    return ShownList(key: key, list: list.name, state: try await list.state())
  }
}

extension WebAnswer {
  /// Returns the event stream that a page requests with the path of `ShownList.events(of:)`.
  public static func events(_ request: WebRequest) -> WebAnswer {
    let shown = (request.query["lists"] ?? "").split(separator: ",").prefix(8).compactMap { text in
      let parts = text.split(separator: "@")
      return parts.count == 2 ? Int(parts[1]).map { (key: String(parts[0]), revision: $0) } : nil
    }
    return .events(shown)
  }
}

extension WebRequest {
  /// The page number in the request, from 1 to a million; 1 if the number is missing or invalid.
  public var pageNumber: Int {
    query["page"].flatMap { Int($0) }.flatMap { (1...1_000_000).contains($0) ? $0 : nil } ?? 1
  }
}
