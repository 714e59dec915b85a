import AwfulCore
import CoreData
import Foundation
import StoreSharing
import WebPages

/// The pages with thread lists: a forum's threads, its unlisted threads, and the bookmarks.
struct ThreadListPages: Sendable {
  let parts: PageParts
  let store: StoreFeed
  let choices: ChoicePages

  private var feed: PageFeed { parts.feed }

  /// Answers a request for one of these pages. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.method == .get else { return nil }
    let path = request.path
    switch path.first {
    case "bookmarks" where path.count == 1:
      return try await bookmarks(ThreadListAddress("/bookmarks", request))
    case "forums" where path.count == 2:
      return try await forum(
        path[1], ThreadListAddress("/forums/\(PagePath.part(path[1]))", request))
    case "forums" where path.count == 3 && path[2] == "unlisted":
      let own = "/forums/\(PagePath.part(path[1]))/unlisted"
      return try await unlisted(path[1], ThreadListAddress(own, request))
    default: return nil
    }
  }

  private func bookmarks(_ address: ThreadListAddress) async throws -> WebAnswer {
    let threads = try await feed.threads(.bookmarks, address)
    let count = try await count(of: .bookmarks, address)
    // The order is not a filter.
    var filters = address.arrangement
    filters.isUnreadFirst = false
    let isFiltered = filters != ThreadArrangement()
    return try await parts.live("Bookmarks", path: "/bookmarks", [threads]) {
      element(.div, .class("actions")) {
        element(.a, .href("/search?in=bookmarks")) { "Search here" }
        element(.a, .href("/bookmarks/posts")) { "Bookmarked posts" }
      }
      address.form(icons: [], isOfBookmarks: true)
      threads.markup(
        empty: isFiltered
          ? "No stored bookmarks match the filters." : "No bookmarked threads are stored.")
      address.links(count: count)
    }
  }

  /// Answers with the stored threads of a forum that are not on the site's list.
  private func unlisted(_ id: String, _ address: ThreadListAddress) async throws -> WebAnswer {
    guard let name = try await known(id)?.name else { return PageParts.missing("forum") }
    let threads = try await feed.threads(.unlisted(id), address)
    let count = try await count(of: .unlisted(id), address)
    return try await parts.live("\(name): not listed", path: address.text, [threads]) {
      Markup.up("/forums/\(PagePath.part(id))", "All threads")
      element(.p, .class("muted")) {
        "These threads are stored but are not on the site's list. They were deleted from the site, or their page of the list was not fetched."
      }
      threads.markup(empty: "All stored threads are on the site's list.")
      address.links(count: count)
    }
  }

  private func forum(_ id: String, _ address: ThreadListAddress) async throws -> WebAnswer {
    guard let (name, fetchedAt) = try await known(id) else { return PageParts.missing("forum") }
    let threads = try await feed.threads(.forum(id), address)
    let count = try await count(of: .forum(id), address)
    let unlisted = try await self.count(of: .unlisted(id), ThreadListAddress(""))
    let icons = try await store.read { try ThreadArrangement.icons(of: .forum(id), in: $0) }
    let isFavorite = try await choices.choices.favorites().contains(id)
    return try await parts.live(
      name.isEmpty ? "Forum" : name, path: address.text, [threads]
    ) {
      element(.div, .class("actions")) {
        element(.a, .href("/"), Attribute("data-key", "up")) { "All forums" }
        element(.a, .href("/write/thread/\(PagePath.part(id))")) { "New thread" }
        element(.a, .href("/search?in=forum&id=\(PagePath.part(id))")) { "Search here" }
        favoriteForm(id, isFavorite: isFavorite, back: address.text)
      }
      if fetchedAt != nil {
        element(.p, .class("muted")) { Wording.list(ThreadRows.fetched(fetchedAt)) }
      }
      address.form(icons: icons, isOfBookmarks: false)
      threads.markup(empty: "No threads on this forum's list are stored.")
      if unlisted > 0 {
        element(.p) {
          element(.a, .href("\(address.path)/unlisted")) {
            Wording.count(unlisted, "stored thread") + " not on the site's list"
          }
        }
      }
      address.links(count: count)
    }
  }

  private func favoriteForm(_ id: String, isFavorite: Bool, back: String) -> Markup {
    Markup.form(to: "/forums/\(PagePath.part(id))/favorite", back: back) {
      element(
        .button, .class("quiet"), Attribute("name", "do"),
        Attribute("value", isFavorite ? "remove" : "add")
      ) { isFavorite ? "Remove from favorites" : "Add to favorites" }
    }
  }

  /// Returns the name of a stored forum, and the date when its whole list was last fetched.
  private func known(_ id: String) async throws -> (name: String, fetchedAt: Date?)? {
    try await store.read { context in
      try context.fetch(Forum.request(id: id)).first.map {
        (name: $0.name ?? "", fetchedAt: $0.lastRefresh)
      }
    }
  }

  private func count(
    of threads: ForumFeed.Threads, _ address: ThreadListAddress
  ) async throws -> Int {
    try await store.read { try address.arrangement.count(of: threads, in: $0) }
  }
}
