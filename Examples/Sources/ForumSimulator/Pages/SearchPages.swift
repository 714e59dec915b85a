import Foundation

/// The search pages: the form with all forums, and one page of results.
struct SearchPages {
  static let pageSize = 20

  let context: PageContext

  func form(message: String) -> String {
    let note = message.isEmpty ? "" : "<div class=\"search_message\">\(message)</div>"
    return page(
      """
      <form action="query.php" method="post" accept-charset="UTF-8">
      <div class="search_container">
      <div class="search_form standard">
      <h1>Search the forums</h1>
      <input name="q" type="text" id="query" value="" autofocus /><br />
      <button type="submit" name="action" value="query">Search</button><br />
      </div>
      \(note)
      <div class="search_help">
      <div class="title">Example Searches</div>
      <div class="term">intitle:"kite string" brass</div>
      <div class="term">threadid:4000002 username:"lamp_reader" rudder</div>
      </div>
      <div class="clearfix forumlist_container standard">
      <div class="forumlist">
      <button type="button" data-forumid="-1" class="search_forum depth0">
      <input type="checkbox" class="forumcheck" name="forums[]" value="-1">
      Select All Forums
      </button>
      \(context.state.children(of: nil).flatMap { entries($0, parents: []) }.joined(separator: "\n"))
      </div>
      </div>
      </div>
      </form>
      """)
  }

  func results(of search: SiteSearch, page number: Int) -> String {
    let slice = PageSlice(count: search.postIDs.count, pageSize: Self.pageSize, page: number)
    let mark = SearchTerms(search.query).mark
    let hits = slice.positions.compactMap { hit(search.postIDs[$0], number: $0 + 1, mark: mark) }
    let place = search.forumIDs.isEmpty ? "all forums" : "\(search.forumIDs.count) forums"
    let links = (1...slice.pageCount).map { number in
      number == slice.page
        ? "<b>\(number)</b>"
        : "<a href=\"/query.php?action=results&amp;qid=\(search.id)&amp;page=\(number)\">\(number)</a>"
    }
    return page(
      """
      <div id="search_info">Searched for <b>\(HTML.escaped(search.query))</b> in \(place).
      There were \(search.postIDs.count) results.</div>
      <input type="hidden" name="qid" value="\(search.id)">
      <div class="pages">\(links.joined(separator: " "))</div>
      <div class="search_results">\(hits.joined(separator: "\n"))</div>
      """)
  }

  private func page(_ content: String) -> String {
    PageFrame(context: context).page(
      title: "Search the Forums", bodyClass: "searchresults", content: content)
  }

  private func entries(_ forum: SiteForum, parents: [Int]) -> [String] {
    let classes = parents.map { " parent\($0)" }.joined()
    let entry = """
      <div data-forumid="\(forum.id)" class="search_forum depth\(parents.count) \(classes) ">
      <input type="checkbox" class="forumcheck" name="forums[]" value="\(forum.id)" >
      \(HTML.escaped(forum.name))
      </div>
      """
    guard parents.count < 8 else { return [entry] }
    return [entry]
      + context.state.children(of: forum.id).flatMap { entries($0, parents: [forum.id] + parents) }
  }

  /// Returns a hit; `nil` for a post that has since been deleted.
  private func hit(_ postID: Int, number: Int, mark: String?) -> String? {
    guard let (thread, position) = context.state.location(ofPost: postID) else { return nil }
    let post = thread.posts[position]
    let forum = context.state.forum(thread.forumID)
    let author = HTML.escaped(context.state.userName(post.authorID))
    return """
      <div class="search_result"><div class="result_number">\(number)</div>\
      <div class="thread_info"><a class="threadtitle" href="/showthread.php?goto=post&amp;postid=\
      \(post.id)">\(HTML.escaped(thread.title))</a> <a class="forumtitle" \
      href="/forumdisplay.php?forumid=\(thread.forumID)">\(HTML.escaped(forum?.name ?? ""))</a></div>\
      <div class="hit_info">posted by <a class="username" href="/member.php?action=getinfo&amp;\
      userid=\(post.authorID)">\(author)</a> on \(context.clock.postDate(post.date))</div>\
      <div class="blurb">\(blurb(post, mark: mark))</div></div>
      """
  }

  private func blurb(_ post: SitePost, mark: String?) -> String {
    let text = post.paragraphs().joined(separator: " ")
    guard let mark, let place = text.range(of: mark, options: .caseInsensitive) else {
      return HTML.escaped(String(text.prefix(120)))
    }
    let before = String(text[..<place.lowerBound].suffix(60))
    let after = String(text[place.upperBound...].prefix(60))
    let word = HTML.escaped(String(text[place]))
    return "\u{2026}\(HTML.escaped(before))<em>\(word)</em>\(HTML.escaped(after))\u{2026}"
  }
}
