/// A forum in a list, apart from its context.
public struct ForumRow: Sendable, Equatable, Encodable {
  /// The site's id.
  public let forumID: String
  /// The name; empty when no page told it.
  public let name: String
  /// The name of the group; empty when no page told it.
  public let groupName: String
  /// The level below the group, from 1.
  public let depth: Int
  /// The number of stored threads.
  public let threadCount: Int
  /// The number of threads on the site's list with posts that the reader has not seen.
  public let unreadThreadCount: Int
}

extension [ForumRow] {
  /// The forums that follow each other in one group, with the group's name.
  public var byGroup: [(name: String, forums: [ForumRow])] {
    var groups: [(name: String, forums: [ForumRow])] = []
    for forum in self {
      if forum.groupName != groups.last?.name { groups.append((forum.groupName, [])) }
      groups[groups.count - 1].forums.append(forum)
    }
    return groups
  }
}
