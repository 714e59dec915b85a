/// The table of one post.
struct PostTable {
  /// The two kinds of rows, by the start of their class; each class has an odd and an even form.
  enum RowKind: String {
    case seen
    case unseen = "altcolor"
  }

  let context: PageContext
  let thread: SiteThread
  let onlyAuthorID: Int?

  /// Returns the table of a post.
  ///
  /// - Parameters:
  ///   - index: The index among the listed posts, from one; `nil` for a single post.
  ///   - place: The position on the page, from one.
  ///   - rowKind: Whether the reader has seen the post.
  func html(_ post: SitePost, index: Int?, place: Int, rowKind: RowKind) -> String {
    let row = rowKind.rawValue + (place % 2 == 0 ? "1" : "2")
    if context.state.forum(thread.forumID)?.hasPlainLayout == true {
      return plainHTML(post, index: index, place: place, row: row)
    }
    return """
      <table class="post " id="post\(post.id)"\(attribute(index))>
      <tr class="\(row)" id="pti\(place)">
      \(sidebar(post))
      \t<td class="postbody">
      \t\t<!-- BeginContentMarker -->
      \(PostBody(context: context, thread: thread, post: post).html)
      \t\t<!-- EndContentMarker -->
      \t\t<p class="editedby">\(editNote(post))</p>
      \t</td>
      </tr>
      \(footer(post, index: index, row: row))
      """
  }

  /// Returns the table in the layout of one forum: text first, author below, no index.
  private func plainHTML(_ post: SitePost, index: Int?, place: Int, row: String) -> String {
    let sidebar = Sidebar(context: context).html(
      of: post.authorID, isOriginalPoster: post.authorID == thread.authorID)
    return """
      <table class="post" id="post\(post.id)">
      <tr class="\(row)" id="pti\(place)">
      \t<td class="postbody" colspan="2">
      \t\t<div class="complete_shit funbox">
      \(PostBody(context: context, thread: thread, post: post).html)
      \t\t<p class="editedby">\(editNote(post))</p>
      \t\t</div>
      \t\t<div class="userinfo userid-\(post.authorID)">
      \(sidebar)
      \t\t</div>
      \t</td>
      </tr>
      \(footer(post, index: index, row: row))
      """
  }

  /// Returns the table of an ignored post, with the author's name and a link to the post.
  func ignoredHTML(_ post: SitePost, place: Int, rowKind: RowKind) -> String {
    let row = rowKind.rawValue + (place % 2 == 0 ? "1" : "2")
    let name = HTML.escaped(context.state.userName(post.authorID))
    return """
      <table class="post ignored" id="post\(post.id)">
      <tr class="\(row)" id="pti\(place)">
      \(sidebar(post))
      \t<td class="postbody">
      \t\t<p>\(name) is on your ignore list. <a href="/showthread.php?action=showpost&amp;postid=\
      \(post.id)">Read the post</a></p>
      \t</td>
      </tr>
      \(footer(post, index: nil, row: row))
      """
  }

  /// Returns the row below a post, and the end of its table.
  private func footer(_ post: SitePost, index: Int?, row: String) -> String {
    """
    <tr class="\(row)">
    \(dateCell(post, index: index))
    \(links(post))
    </tr>
    </table>
    """
  }

  /// Returns the index attribute, which is empty for a single post.
  private func attribute(_ index: Int?) -> String {
    " data-idx=\"\(index.map { "\($0)" } ?? "")\""
  }

  private func sidebar(_ post: SitePost) -> String {
    let isFirst = post.authorID == thread.authorID
    return """
      \t<td class="userinfo userid-\(post.authorID)">
      \(Sidebar(context: context).html(of: post.authorID, isOriginalPoster: isFirst))
      \t</td>
      """
  }

  private func editNote(_ post: SitePost) -> String {
    guard let date = post.shownEditDate else { return "" }
    let name = HTML.escaped(context.state.userName(post.authorID))
    return "<span>\(name) changed this post at \(context.clock.postDate(date))</span>"
  }

  private func dateCell(_ post: SitePost, index: Int?) -> String {
    let jump =
      onlyAuthorID == nil
      ? "title=\"Show posts by this user\" href=\"/showthread.php?threadid=\(thread.id)&amp;"
        + "userid=\(post.authorID)\">?"
      : "title=\"Remove user filter\" href=\"/showthread.php?goto=post&amp;postid=\(post.id)\">"
        + "&iquest;"
    let mark = index.map { index in
      """
      <a class="lastseen_icon" href="/showthread.php?action=setseen&amp;threadid=\
      \(thread.id)&amp;index=\(index)" title="Mark read up to here">\
      <img src="\(context.image("style/posticon-seen.gif"))" alt="" border="0"></a>
      """
    }
    return """
      \t<td class="postdate">
      \t\t\(mark ?? "")
      \t\t<a href="#post\(post.id)" title="Link to this post">#</a>
      \t\t<a class="user_jump" \(jump)</a>
      \t\t\(context.clock.postDate(post.date))
      \t</td>
      """
  }

  private func links(_ post: SitePost) -> String {
    let message =
      context.state.user(post.authorID)?.acceptsMessages == true
      ? "<li><a href=\"private.php?action=newmessage&amp;userid=\(post.authorID)\">Message</a></li>"
      : ""
    let edit =
      context.viewer?.id == post.authorID
      ? "<li><a href=\"editpost.php?action=editpost&amp;postid=\(post.id)\">"
        + "<img src=\"\(context.image("images/sa-edit.gif"))\" alt=\"Edit\"></a></li>" : ""
    return """
      \t<td class="postlinks">
      \t\t<ul class="profilelinks">
      \t\t\t<li><a href="member.php?action=getinfo&amp;userid=\(post.authorID)">Profile</a></li>
      \t\t\t\(message)
      \t\t</ul>
      \t\t<ul class="postbuttons">
      \t\t\t<li class="alertbutton"><a href="modalert.php?postid=\(post.id)">\
      <img src="\(context.image("images/button-report.gif"))" alt="Alert Moderators"></a></li>
      \t\t\t\(edit)
      \t\t\t<li><a href="newreply.php?action=newreply&amp;postid=\(post.id)">\
      <img src="\(context.image("images/sa-quote.gif"))" alt="Quote" title=""></a></li>
      \t\t</ul>
      \t</td>
      """
  }
}
