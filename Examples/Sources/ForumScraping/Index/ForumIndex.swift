import ForumHTML
import Foundation

/// The tree of groups and forums and the current user, from the site's JSON index.
public struct ForumIndex: Sendable, Equatable {
  /// A group of forums.
  public struct Group: Sendable, Equatable {
    /// The id.
    public let id: String
    /// The name.
    public let name: String
  }

  /// A moderator of a forum.
  public struct Moderator: Sendable, Equatable {
    /// The user's id.
    public let userID: String
    /// The user's name.
    public let name: String
  }

  /// A forum.
  public struct Forum: Sendable, Equatable {
    /// The id.
    public let id: String
    /// The name.
    public let name: String
    /// The id of the parent forum; nil at the top of a group.
    public let parentID: String?
    /// The id of the group; nil if the site names none.
    public let groupID: String?
    /// The level below the group, from 1.
    public let depth: Int
    /// The moderators, in order.
    public let moderators: [Moderator]
  }

  /// The groups, in order.
  public let groups: [Group]
  /// The forums, in depth-first order.
  public let forums: [Forum]
  /// The reader's own account; nil if the reader is logged out.
  public let user: CurrentUser?
  /// The site's statistics by name.
  public let statistics: [String: Int]

  /// Parses the index.
  ///
  /// - Parameter text: The JSON.
  /// - Throws: `PageError` with code `.malformedJSON` or `.missingMarker`.
  init(json text: String) throws {
    let answer: IndexAnswer
    do {
      answer = try JSONDecoder().decode(IndexAnswer.self, from: Data(text.utf8))
    } catch {
      throw Self.error(for: error, in: text)
    }
    var walk = IndexWalk()
    try walk.visit(answer.forums?.values ?? [], group: nil, parent: nil, depth: 0)
    guard !walk.forums.isEmpty else {
      throw PageError(.missingMarker, "The forum index contains no forums.", marker: "forums")
    }
    groups = walk.groups
    forums = walk.forums
    user = answer.user.flatMap { CurrentUser($0) }
    statistics = (answer.stats ?? [:]).compactMapValues(\.number)
  }

  private static func error(for error: any Error, in text: String) -> PageError {
    guard case .typeMismatch(_, let context)? = error as? DecodingError else {
      return syntaxError(in: text)
    }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    return PageError(
      .malformedJSON, "The forum index has an unexpected format.",
      marker: place.nonEmpty ?? "forums")
  }

  /// Parses the text again with a parser that reports the position of the error.
  private static func syntaxError(in text: String) -> PageError {
    var detail = ""
    do {
      _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    } catch {
      detail = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
    }
    return PageError(
      .malformedJSON, "The forum index is not valid JSON. \(detail)",
      position: detail.filter(\.isNumber).wholeNumber ?? text.utf8.count, marker: "JSON")
  }
}

/// A traversal of the index that collects the groups and forums with their parents.
private struct IndexWalk {
  var groups: [ForumIndex.Group] = []
  var forums: [ForumIndex.Forum] = []

  mutating func visit(
    _ entries: [IndexAnswer.Entry], group: String?, parent: String?, depth: Int
  ) throws {
    for entry in entries {
      guard let id = entry.id?.text.nonEmpty else { continue }
      let name = try HTMLText.resolvingReferences(in: entry.title?.text ?? "").trimmingWhitespace
      let children = entry.subforums?.values ?? []
      guard entry.hasThreads?.isTrue ?? false else {
        groups.append(ForumIndex.Group(id: id, name: name))
        try visit(children, group: id, parent: nil, depth: 0)
        continue
      }
      forums.append(
        ForumIndex.Forum(
          id: id, name: name, parentID: parent, groupID: group, depth: depth + 1,
          moderators: moderators(of: entry)))
      try visit(children, group: group, parent: id, depth: depth + 1)
    }
  }

  private func moderators(of entry: IndexAnswer.Entry) -> [ForumIndex.Moderator] {
    (entry.moderators?.values ?? []).compactMap { moderator in
      guard let id = moderator.userid?.text.nonEmpty else { return nil }
      return ForumIndex.Moderator(userID: id, name: moderator.username?.text ?? "")
    }
  }
}
