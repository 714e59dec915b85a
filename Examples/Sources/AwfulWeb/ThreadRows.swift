import AwfulCore
import Foundation
import WebPages

/// The rows of thread lists, and the line above a thread's posts.
enum ThreadRows {
  static func row(_ thread: ThreadRow) -> LiveRow {
    let id = "thread-\(thread.threadID)"
    let markup = element(.li, .id(id)) {
      element(
        .a, .class(thread.hasNewPosts ? "row unread" : "row"),
        .href("/threads/\(PagePath.part(thread.threadID))?page=unread")
      ) {
        element(.span, .class("title")) { thread.title }
        element(.span, .class(thread.hasNewPosts ? "count" : "count none")) {
          count(of: thread)
        }
        element(.span, .class("meta")) { Wording.list(facts(of: thread)) }
      }
    }
    return LiveRow(id: id, markup: markup)
  }

  private static func count(of thread: ThreadRow) -> String {
    if !thread.isOpened { return "not opened" }
    return thread.unreadPostCount > 0 ? "\(thread.unreadPostCount) unread" : ""
  }

  private static func facts(of thread: ThreadRow) -> [String] {
    var facts: [String] = []
    if thread.isSticky { facts.append("sticky") }
    if thread.isClosed { facts.append("closed") }
    if thread.isBookmarked {
      facts.append("bookmarked" + (thread.bookmarkColor.map { " (\($0))" } ?? ""))
    }
    facts += [thread.iconName, thread.secondIconName].filter { !$0.isEmpty }
    if !thread.authorName.isEmpty { facts.append("by \(thread.authorName)") }
    facts.append(Wording.count(thread.postCount, "post"))
    if !thread.lastPosterName.isEmpty { facts.append("last by \(thread.lastPosterName)") }
    if let date = thread.lastPostDate { facts.append(Wording.day(date)) }
    return facts
  }

  /// Returns when a page was last fetched from the site, as a fact; nothing for a page that was not.
  static func fetched(_ date: Date?) -> [String] {
    date.map { ["fetched \(Wording.day($0))"] } ?? []
  }

  static func heading(_ thread: ThreadRow, page: Int) -> LiveRow {
    let id = "heading-\(thread.threadID)"
    let path = "/threads/\(PagePath.part(thread.threadID))"
    let markup = element(.li, .id(id)) {
      element(.p, .class("muted")) {
        Wording.list(facts(of: thread) + fetched(thread.fetchedAt))
      }
      actions(of: thread, path: path, page: page)
      PageLinks.markup(path: path, page: page, count: max(thread.pageCount, page))
    }
    return LiveRow(id: id, markup: markup)
  }

  /// Returns the actions for a thread.
  private static func actions(of thread: ThreadRow, path: String, page: Int) -> Markup {
    let back = "\(path)?page=\(page)"
    return element(.div, .class("actions")) {
      if !thread.isClosed {
        element(.a, .href("/write/reply/\(PagePath.part(thread.threadID))")) { "Reply" }
      }
      element(.a, .href("/search?in=thread&id=\(PagePath.part(thread.threadID))")) { "Search here" }
      Markup.form(to: "\(path)/bookmark", back: back) {
        select(
          "color", "Color of the bookmark", ThreadRow.bookmarkColors.map { ($0, $0) },
          chosen: thread.bookmarkColor)
        element(.button, .class("quiet")) { thread.isBookmarked ? "Change color" : "Bookmark" }
      }
      if thread.isBookmarked {
        Markup.button("Remove bookmark", to: "\(path)/bookmark", back: back)
      }
      Markup.form(to: "\(path)/seen", back: back) {
        Markup.hidden("place", thread.unreadPostCount > 0 ? "\(thread.postCount)" : "0")
        element(.button, .class("quiet")) {
          thread.unreadPostCount > 0 ? "Mark as read" : "Mark as unread"
        }
      }
      saveForm(of: thread, path: path, page: page, back: back)
      Markup.button("Hide", to: "\(path)/hide", back: back)
    }
  }

  /// Returns the form that saves all pages of a thread, or some pages from the shown one on.
  private static func saveForm(
    of thread: ThreadRow, path: String, page: Int, back: String
  ) -> Markup {
    let left = thread.pageCount - page + 1
    let some = [(5, "5 pages"), (10, "10 pages"), (50, "50 pages")].filter { $0.0 < left }
    let choices: [(value: String, text: String)] =
      [("all", "All pages"), ("1", "This page")] + some.map { ("\($0.0)", "\($0.1) from here") }
    return Markup.form(to: "\(path)/save", back: back) {
      if thread.pageCount > 1 {
        Markup.hidden("from", "\(page)")
        select("pages", "Pages to save", choices, chosen: nil)
      }
      element(.button, .class("quiet")) { "Save for later" }
    }
  }

  /// Returns a selection whose label is not visible.
  private static func select(
    _ name: String, _ label: String, _ values: [(value: String, text: String)], chosen: String?
  ) -> Markup {
    element(.select, Attribute("name", name), .label(label)) {
      Markup.options(values, chosen: chosen)
    }
  }
}
