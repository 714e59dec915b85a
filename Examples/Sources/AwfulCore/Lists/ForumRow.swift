/// A forum in a list, as a value independent of its context.
public struct ForumRow: Sendable, Equatable, Encodable {
  /// The id on the site.
  public let forumID: String
  /// The name; empty if no page has shown it.
  public let name: String
  /// The name of the group; empty if no page has shown it.
  public let groupName: String
  /// The level below the group, starting at 1.
  public let depth: Int
  /// The number of stored threads.
  public let threadCount: Int
  /// The number of threads on the site's list that have posts the reader has not seen.
  public let unreadThreadCount: Int
}

extension [ForumRow] {
  /// Runs of consecutive forums in the same group, with the group's name.
  public var byGroup: [(name: String, forums: [ForumRow])] {
    var groups: [(name: String, forums: [ForumRow])] = []
    for forum in self {
      if forum.groupName != groups.last?.name { groups.append((forum.groupName, [])) }
      groups[groups.count - 1].forums.append(forum)
    }
    return groups
  }
}
