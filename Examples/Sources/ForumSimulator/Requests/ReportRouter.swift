/// Responds to requests that report a post to the moderators.
struct ReportRouter {
  static let longestMessage = 960

  let context: PageContext

  func answer(to request: SiteRequest) -> SiteAnswer {
    guard let viewer = context.viewer else {
      return .page(ErrorPage(context: context).mustRegister)
    }
    guard
      let (thread, position) = request.number("postid").flatMap({
        context.state.location(ofPost: $0)
      })
    else { return .error("Unknown post", "There is no post of this number.", in: context) }
    let post = thread.posts[position]
    guard request.method == "POST" else { return .page(form(post, in: thread)) }
    let message = PostDraft.normalized(request.form["message"])
    guard message.unicodeScalars.count <= Self.longestMessage else {
      return .error(
        "Long report", "A report has at most \(Self.longestMessage) characters.", in: context)
    }
    let report = SiteReport(
      postID: post.id, reporterID: viewer.id, message: message,
      isNotSafeForWork: request.form["nws"] == "yes", date: context.state.clock)
    let notice = RedirectNotice(context: context)
    return .page(
      notice.html(
        "The moderators have been alerted.", to: "showthread.php?goto=post&amp;postid=\(post.id)"),
      changes: [.report(report)])
  }

  private func form(_ post: SitePost, in thread: SiteThread) -> String {
    PageFrame(context: context).page(
      title: "Report a Post - \(PageContext.siteName)", bodyClass: "modalert",
      content: """
        <form action="modalert.php" method="post" name="vbform">
        <input type="hidden" name="action" value="submit">
        <input type="hidden" name="postid" value="\(post.id)">
        <table class="standard" id="main_full">
        <thead><tr><th colspan="2">Report a Post</th></tr></thead>
        <tr><td><b>Thread:</b></td><td>\(HTML.escaped(thread.title))</td></tr>
        <tr><td><b>Comments:</b></td><td>
        \(HTML.textArea("message", ""))
        </td></tr>
        <tr><td><b>Options:</b></td><td>
        <input type="checkbox" name="nws" value="yes" > Not safe for work
        </td></tr>
        </table>
        <input type="submit" name="submit" value="Submit Report">
        </form>
        """)
  }
}
