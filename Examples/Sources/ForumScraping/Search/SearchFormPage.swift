import ForumHTML

/// The page on which a search is begun.
public struct SearchFormPage: Sendable, Equatable {
  /// A forum that can be searched.
  public struct Forum: Sendable, Equatable {
    /// The forum's or group's id.
    public let id: String
    /// The name.
    public let name: String
    /// The level in the tree, from 0 for groups.
    public let depth: Int
    /// The ids of the forum above and those above it, nearest first.
    public let parentIDs: [String]
    /// Whether it is chosen.
    public let isChosen: Bool
  }

  /// The forums, in order; the entry for all of them is left out.
  public let forums: [Forum]
  /// Examples of what can be searched for.
  public let hints: [String]
  /// What the site has to say; empty most times.
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
