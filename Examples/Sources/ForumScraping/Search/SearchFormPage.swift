import ForumHTML

/// The page with the search form.
public struct SearchFormPage: Sendable, Equatable {
  /// A forum that can be searched.
  public struct Forum: Sendable, Equatable {
    /// The forum's or group's id.
    public let id: String
    /// The name.
    public let name: String
    /// The level in the tree, from 0 for groups.
    public let depth: Int
    /// The ids of the ancestors, nearest first.
    public let parentIDs: [String]
    /// Whether the forum is selected.
    public let isChosen: Bool
  }

  /// The forums, in order, without the entry for all forums.
  public let forums: [Forum]
  /// Examples of search terms.
  public let hints: [String]
  /// The site's message; usually empty.
  public let message: String

  init(_ document: HTMLDocument) throws {
    var forums: [Forum] = []
    for entry in try document.select(".search_forum") {
      guard let id = entry["data-forumid"]?.nonEmpty, id != "-1" else { continue }
      forums.append(
        Forum(
          id: id, name: entry.trimmedText,
          depth: Link.number(after: "depth", inClassesOf: entry).flatMap { Int($0) } ?? 0,
          parentIDs: entry.classes.filter { $0.hasPrefix("parent") }.map {
            String($0.dropFirst(6))
          },
          isChosen: try entry.first("input[checked]") != nil))
    }
    self.forums = forums
    hints = try document.select(".search_help .term").map(\.trimmedText)
    message = try document.first("#search_info, .search_message, .search_error")?.trimmedText ?? ""
  }
}
