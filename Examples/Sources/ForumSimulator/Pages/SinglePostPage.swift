/// The page of one post, which shows a post of an ignored account.
struct SinglePostPage {
  let context: PageContext
  let thread: SiteThread
  let position: Int

  var html: String {
    let table = PostTable(context: context, thread: thread, onlyAuthorID: nil)
    let isSeen = position < context.seenCount(of: thread) ?? 0
    return PageFrame(context: context).page(
      title: "\(PageContext.siteName) - \(thread.title)", bodyClass: "showpost",
      content: """
        <div class="breadcrumbs"></div>
        <a name="post"></a>
        <div id="thread" class="thread:\(thread.id)">
        \(table.html(thread.posts[position], index: nil, place: 1, rowKind: isSeen ? .seen : .unseen))
        </div>
        <div class="threadbar bottom">
        </div>
        """)
  }
}
