import StoriesCore
import WebPages

/// The query and the page number of the shelf, from the address of the page.
struct ShelfAddress: Sendable {
  private static let storiesPerPage = 40

  let query: StoryQuery
  let page: Int

  /// Reads the address of a request, and ignores invalid values.
  init(_ request: WebRequest) {
    var query = StoryQuery()
    query.search = request.query["search"] ?? ""
    query.theme = request.query["category"].flatMap { $0.isEmpty ? nil : $0 }
    query.ageGroup = request.query["age"].flatMap { Int($0) }.flatMap(AgeGroup.init)
    query.favoritesOnly = request.query["favourites"] == "1"
    query.order = request.query["sort"].flatMap(StoryOrder.init) ?? .newest
    page = request.pageNumber
    query.offset = (page - 1) * Self.storiesPerPage
    query.limit = Self.storiesPerPage
    self.query = query
  }

  /// The parameters after the page number in an address.
  var parameters: String {
    "&search=\(PagePath.part(query.search))&category=\(PagePath.part(query.theme ?? ""))"
      + "&age=\(age)&sort=\(query.order.rawValue)" + (query.favoritesOnly ? "&favourites=1" : "")
  }

  /// The age group in an address; empty for all stories.
  private var age: String { query.ageGroup.map { "\($0.rawValue)" } ?? "" }

  /// The key of the live list.
  var key: String { "shelf/\(page)\(parameters)" }

  /// Returns the number of pages for a number of stories.
  func pageCount(_ count: Int) -> Int { max(1, (count - 1) / Self.storiesPerPage + 1) }

  private static let orders: [(value: String, text: String)] = [
    (StoryOrder.newest.rawValue, "Newest"), (StoryOrder.oldest.rawValue, "Oldest"),
    (StoryOrder.title.rawValue, "A–Z"), (StoryOrder.mostRead.rawValue, "Most read"),
  ]

  /// Returns the form for searching and sorting.
  func form(themes: [(theme: String, count: Int)]) -> Markup {
    let named = themes.filter { !$0.theme.isEmpty }
    let categories =
      [(value: "", text: "All")]
      + named.map { (value: $0.theme, text: "\($0.theme) (\($0.count))") }
    return element(.form, .class("search"), Attribute("method", "get"), Attribute("action", "/")) {
      element(
        .input, Attribute("type", "search"), Attribute("name", "search"), .label("Search stories"),
        Attribute("placeholder", "Search"), Attribute("value", query.search))
      Markup.choice("category", "Category", categories, chosen: query.theme ?? "")
      Markup.choice("age", "Age", [(value: "", text: "Any")] + StoryParts.ages, chosen: age)
      Markup.choice("sort", "Sort", Self.orders, chosen: query.order.rawValue)
      element(.label) {
        element(
          .input, Attribute("type", "checkbox"), Attribute("name", "favourites"),
          Attribute("value", "1"), query.favoritesOnly ? Attribute(flag: "checked") : nil)
        " Favorites"
      }
      element(.button) { "Show" }
    }
  }
}
