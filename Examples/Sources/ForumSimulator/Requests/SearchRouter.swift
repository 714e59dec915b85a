/// Responds to search requests: the form, a new search, and the pages of its results.
struct SearchRouter {
  /// The minimum time between two searches of an account, in virtual seconds.
  static let pause = 15
  /// The maximum number of posts that one search finds.
  static let mostHits = 1_000

  let context: PageContext

  private var state: SiteState { context.state }

  func answer(to request: SiteRequest) -> SiteAnswer {
    guard let viewer = context.viewer else {
      return .page(ErrorPage(context: context).mustRegister)
    }
    switch request.parameter("action") {
    case nil, "": return .page(SearchPages(context: context).form(message: ""))
    case "query": return search(request, by: viewer)
    case "results": return results(request, for: viewer)
    default: return problem("Unknown action", "The search cannot do that.")
    }
  }

  private func search(_ request: SiteRequest, by viewer: SiteUser) -> SiteAnswer {
    let query = PostDraft.line(request.parameter("q"))
    let terms = SearchTerms(query)
    guard !terms.isEmpty, query.count <= 250 else {
      return .page(
        SearchPages(context: context).form(message: "Enter at least one word to search for."))
    }
    let last = state.readers[viewer.id]?.lastSearchDate
    if let last, state.clock - last < Self.pause, state.clock >= last {
      return problem(
        "Too many searches", "You can search once every \(Self.pause) seconds. Please wait.")
    }
    let forumIDs = (request.lists["forums"] ?? []).compactMap { Int($0) }.filter { $0 != -1 }
    let search = SiteSearch(
      id: state.nextSearchID, ownerID: viewer.id, query: query, forumIDs: forumIDs,
      postIDs: hits(of: terms, in: Set(forumIDs)))
    return SiteAnswer(
      response: .redirect(to: "/query.php?action=results&qid=\(search.id)"),
      changes: [.search(search)])
  }

  private func hits(of terms: SearchTerms, in forumIDs: Set<Int>) -> [Int] {
    var found: [SitePost] = []
    for thread in state.threads where terms.fits(thread) {
      guard forumIDs.isEmpty || forumIDs.contains(thread.forumID) else { continue }
      found += thread.posts.filter { terms.fits($0, in: thread, of: state) }
    }
    return found.sorted { ($0.date, $0.id) > ($1.date, $1.id) }.prefix(Self.mostHits).map(\.id)
  }

  private func results(_ request: SiteRequest, for viewer: SiteUser) -> SiteAnswer {
    let id = request.number("qid")
    guard let search = state.searches.first(where: { $0.id == id && $0.ownerID == viewer.id })
    else { return problem("Unknown search", "You have made no search of this number.") }
    return .page(
      SearchPages(context: context).results(of: search, page: request.number("page") ?? 1))
  }

  private func problem(_ title: String, _ message: String) -> SiteAnswer {
    .error(title, message, in: context)
  }
}
