import AwfulCore
import Foundation
import WebPages
import StoreSharing

/// The page that searches the stored posts.
struct SearchPage: Sendable {
  let parts: PageParts
  let store: StoreFeed
  /// The mapping from addresses of the site to the reader's own pages.
  let links: SiteLinks

  /// Answers a request for this page. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.method == .get, request.path == ["search"] else { return nil }
    let words = request.query["q"] ?? ""
    if let path = links.path(typed: words) { return .redirect(path) }
    let scope = Self.scope(request.query["in"] ?? "", request.query["id"] ?? "")
    let page = min(request.pageNumber, 10_000)
    let search = PostSearch(words, in: scope)
    let found = try await store.read { try search.posts(page: page, in: $0) }
    let numbered = try await store.read { try PostSearch.post(numbered: words, in: $0) }
    return .page(
      parts.plain(words.isEmpty ? "Search" : "Search: \(words)", path: "/search") {
        form(words, scope)
        if let numbered {
          element(.p) {
            element(.a, .href("/posts/\(PagePath.part(numbered))")) { "Go to post \(numbered)" }
          }
        }
        if !words.isEmpty { results(found.posts, search, page) }
        pages(search, page, hasMore: found.hasMore)
      })
  }

  private static func scope(_ name: String, _ id: String) -> PostSearch.Scope {
    switch name {
    case "bookmarks": .bookmarks
    case "forum" where !id.isEmpty: .forum(id)
    case "thread" where !id.isEmpty: .thread(id)
    default: .everywhere
    }
  }

  /// Returns the name of a scope in addresses, its id, and its label.
  private static func fields(
    _ scope: PostSearch.Scope
  ) -> (name: String, id: String, label: String) {
    switch scope {
    case .everywhere: ("all", "", "All stored posts")
    case .bookmarks: ("bookmarks", "", "Bookmarked threads")
    case .forum(let id): ("forum", id, "This forum")
    case .thread(let id): ("thread", id, "This thread")
    }
  }

  private func form(_ words: String, _ scope: PostSearch.Scope) -> Markup {
    let offered: [PostSearch.Scope] =
      [.everywhere, .bookmarks] + ([.everywhere, .bookmarks].contains(scope) ? [] : [scope])
    return element(
      .form, .class("search"), Attribute("method", "get"), Attribute("action", "/search"),
      Attribute("role", "search")
    ) {
      element(.label, Attribute("for", "words")) { "Words" }
      element(
        .input, .id("words"), Attribute("type", "search"), Attribute("name", "q"),
        Attribute("value", words))
      Markup.choice(
        "in", "In", offered.map { (Self.fields($0).name, Self.fields($0).label) },
        chosen: Self.fields(scope).name)
      if !Self.fields(scope).id.isEmpty { Markup.hidden("id", Self.fields(scope).id) }
      element(.button) { "Search" }
    }
  }

  @MarkupBuilder
  private func results(_ posts: [FoundPost], _ search: PostSearch, _ page: Int) -> Markup {
    if posts.isEmpty {
      element(.p, .class("empty"), Attribute("role", "status")) {
        search.isEmpty ? "The search contains no words." : "No stored posts contain these words."
      }
    }
    if posts.count == PostSearch.pageSize, page * PostSearch.pageSize == PostSearch.candidateLimit {
      element(.p, Attribute("role", "status")) {
        "This is the last page. The search shows the \(PostSearch.candidateLimit) posts with these words that were stored last."
      }
    }
    element(.ol, .id("found"), .class("rows")) {
      for post in posts {
        element(.li, .id("found-\(post.postID)")) {
          element(.a, .class("row"), .href("/posts/\(PagePath.part(post.postID))")) {
            element(.span, .class("title")) {
              post.threadTitle.isEmpty ? "Thread" : post.threadTitle
            }
            element(.span, .class("count none")) { post.date.map { Wording.day($0) } ?? "" }
            element(.span, .class("meta")) { "\(post.authorName): \(post.excerpt)" }
          }
        }
      }
    }
  }

  @MarkupBuilder
  private func pages(_ search: PostSearch, _ page: Int, hasMore: Bool) -> Markup {
    if page > 1 || hasMore {
      element(.nav, .class("pages"), .label("Pages")) {
        if page > 1 {
          element(.a, .href(path(search, page - 1)), Attribute("rel", "prev")) { "Previous" }
        }
        if hasMore {
          element(.a, .href(path(search, page + 1)), Attribute("rel", "next")) { "Next" }
        }
      }
    }
  }

  private func path(_ search: PostSearch, _ page: Int) -> String {
    let fields = Self.fields(search.scope)
    return
      "/search?q=\(PagePath.part(search.words))&in=\(fields.name)&id=\(PagePath.part(fields.id))&page=\(page)"
  }
}
