import AwfulCore
import Foundation
import WebPages

/// The rows of the forum list: a heading for each group, followed by its forums.
enum ForumRows {
  static func rows(_ forums: [ForumRow]) -> [LiveRow] {
    forums.byGroup.flatMap { group in
      [heading(group.name, before: group.forums[0])] + group.forums.map { row($0) }
    }
  }

  private static func heading(_ name: String, before forum: ForumRow) -> LiveRow {
    let id = "group-\(forum.forumID)"
    let markup = element(.li, .id(id), .class("group")) {
      element(.h2) { name.isEmpty ? "Forums" : name }
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the row of a favourite forum.
  static func favorite(_ forum: ForumRow) -> LiveRow { row(forum, "favorite", depth: 1) }

  private static func row(_ forum: ForumRow) -> LiveRow {
    row(forum, "forum", depth: min(forum.depth, 4))
  }

  private static func row(_ forum: ForumRow, _ name: String, depth: Int) -> LiveRow {
    let id = "\(name)-\(forum.forumID)"
    let unread = forum.unreadThreadCount
    let markup = element(.li, .id(id)) {
      element(
        .a,
        .class(unread > 0 ? "row unread depth\(depth)" : "row depth\(depth)"),
        .href("/forums/\(PagePath.part(forum.forumID))")
      ) {
        element(.span, .class("title")) { forum.name }
        element(.span, .class(unread > 0 ? "count" : "count none")) {
          unread > 0 ? "\(unread) unread" : ""
        }
        element(.span, .class("meta")) { Wording.count(forum.threadCount, "thread") + " stored" }
      }
    }
    return LiveRow(id: id, markup: markup)
  }
}
