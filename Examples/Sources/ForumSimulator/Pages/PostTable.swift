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

  /// The table of a post.
  ///
  /// - Parameters:
  ///   - index: The index among the listed posts, counted from one.
  ///   - place: The place on the page, counted from one.
  ///   - rowKind: Whether the reader has seen the post.
  func html(_ post: SitePost, index: Int, place: Int, rowKind: RowKind) -> String {
    let row = rowKind.rawValue + (place % 2 == 0 ? "1" : "2")
    return """
      <table class="post " id="post\(post.id)" data-idx="\(index)">
      <tr class="\(row)" id="pti\(place)">
      \(sidebar(post))
      \t<td class="postbody">
      \t\t<!-- BeginContentMarker -->
      \(PostBody(context: context, thread: thread, post: post).html)
      \t\t<!-- EndContentMarker -->
      \t\t<p class="editedby">\(editNote(post))</p>
      \t</td>
      </tr>
      <tr class="\(row)">
      \(dateCell(post, index: index))
      \(links(post))
      </tr>
      </table>
      """
  }

  private func sidebar(_ post: SitePost) -> String {
    let author = context.state.user(post.authorID)
    let image =
      author?.hasAvatar == true
      ? "<img src=\"\(context.image("avatars/\(post.authorID).png"))\" alt=\"\" class=\"img\" "
        + "border=\"0\"><br>\n" : ""
    return """
      \t<td class="userinfo userid-\(post.authorID)">
      \t\t<dl class="userinfo">
      \t\t\t<dt class="\(authorClass(post))" title="\(roleTitle(author))">\
      \(HTML.escaped(author?.name ?? ""))</dt>
      \t\t\t<dd class="registered">\(context.clock.dayOnly(author?.registered ?? 0))</dd>
      \t\t\t<dd class="title">
      \t\t\t\t\(image)\(HTML.escaped(author?.tagline ?? ""))
      \t\t\t\t<br class="pb">
      \t\t\t</dd>
      \t\t</dl>
      \t</td>
      """
  }

  private func authorClass(_ post: SitePost) -> String {
    var classes = ["author"]
    switch context.state.user(post.authorID)?.role {
    case .administrator: classes.append("role-admin")
    case .moderator: classes.append("role-mod")
    case .platinum where context.markup != .generation2012: classes.append("platinum")
    default: break
    }
    if post.authorID == thread.authorID { classes.append("op") }
    return classes.joined(separator: " ")
  }

  private func roleTitle(_ author: SiteUser?) -> String {
    switch author?.role {
    case .administrator: "Administrator"
    case .moderator: "Moderator"
    default: ""
    }
  }

  private func editNote(_ post: SitePost) -> String {
    guard let date = post.shownEditDate else { return "" }
    let name = HTML.escaped(context.state.userName(post.authorID))
    return "<span>\(name) changed this post at \(context.clock.postDate(date))</span>"
  }

  private func dateCell(_ post: SitePost, index: Int) -> String {
    let jump =
      onlyAuthorID == nil
      ? "title=\"Show posts by this user\" href=\"/showthread.php?threadid=\(thread.id)&amp;"
        + "userid=\(post.authorID)\">?"
      : "title=\"Remove user filter\" href=\"/showthread.php?goto=post&amp;postid=\(post.id)\">"
        + "&iquest;"
    return """
      \t<td class="postdate">
      \t\t<a class="lastseen_icon" href="/showthread.php?action=setseen&amp;threadid=\
      \(thread.id)&amp;index=\(index)" title="Mark read up to here">\
      <img src="\(context.image("style/posticon-seen.gif"))" alt="" border="0"></a>
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
      \t\t\t\(edit)
      \t\t\t<li><a href="newreply.php?action=newreply&amp;postid=\(post.id)">\
      <img src="\(context.image("images/sa-quote.gif"))" alt="Quote" title=""></a></li>
      \t\t</ul>
      \t</td>
      """
  }
}
