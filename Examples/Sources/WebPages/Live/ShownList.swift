/// A live list as a page shows it when the page is made.
///
/// A value.
public struct ShownList: Sendable {
  /// What the list shows, which its event stream is asked for by.
  public let key: String
  /// The id of the list's element.
  public let list: String
  /// The state that the page shows.
  public let state: LiveList.State

  /// The rows, without the list's element.
  public var rows: Markup { Markup(trusted: state.rows.map(\.markup.source).joined()) }

  /// The list, and what is said while it has no rows.
  @MarkupBuilder
  public func markup(empty: String, _ attributes: Attribute...) -> Markup {
    element(.ol, [.id(list), .class("rows")] + attributes) { rows }
    element(.p, .class("empty")) { empty }
  }

  /// The path of the event stream of a page that shows lists.
  public static func events(of lists: [ShownList]) -> String {
    let states = lists.map { "\($0.key)@\($0.state.revision)" }.joined(separator: ",")
    return "/events?lists=\(PagePath.part(states))"
  }
}

extension LiveLists {
  /// The list of a key with its present state, made unless there is one.
  ///
  /// - Throws: What loading the rows throws.
  public func show(_ key: String, _ make: @Sendable () -> LiveList) async throws -> ShownList {
    let list = await list(key, make)
    return ShownList(key: key, list: list.name, state: try await list.state())
  }
}

extension WebAnswer {
  /// The event stream that a page asks for by the path of `ShownList.events(of:)`.
  public static func events(_ request: WebRequest) -> WebAnswer {
    let shown = (request.query["lists"] ?? "").split(separator: ",").prefix(8).compactMap { text in
      let parts = text.split(separator: "@")
      return parts.count == 2 ? Int(parts[1]).map { (key: String(parts[0]), revision: $0) } : nil
    }
    return .events(shown)
  }
}

extension WebRequest {
  /// The page number that the request names, from 1 to a million; 1 for none, and for what is no number of a page.
  public var pageNumber: Int {
    query["page"].flatMap { Int($0) }.flatMap { (1...1_000_000).contains($0) ? $0 : nil } ?? 1
  }
}
