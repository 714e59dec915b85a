/// The text of a post as HTML: an optional quotation, paragraphs, now and then a spoiler.
struct PostBody {
  let context: PageContext
  let thread: SiteThread
  let post: SitePost

  var html: String {
    var paragraphs = post.paragraphs().map { HTML.escaped($0) }
    if post.textSeed % 17 == 0, let last = paragraphs.popLast() {
      paragraphs.append("<span class=\"bbc-spoiler\">\(last)</span>")
    }
    return quotation + paragraphs.joined(separator: "<br>\n<br>\n")
  }

  private var quotation: String {
    guard let position = thread.posts.firstIndex(where: { $0.id == post.id }),
      let index = post.quotedIndex(at: position + 1)
    else { return "" }
    let quoted = thread.posts[index - 1]
    let name = HTML.escaped(context.state.userName(quoted.authorID))
    return """
      <div class="bbc-block"><h4><a class="quote_link" href="/showthread.php?goto=post&amp;postid=\
      \(quoted.id)#post\(quoted.id)" rel="nofollow">\(name) posted:</a></h4><blockquote>\
      \(HTML.escaped(quoted.paragraphs().first ?? ""))</blockquote></div>
      <br>

      """
  }
}
