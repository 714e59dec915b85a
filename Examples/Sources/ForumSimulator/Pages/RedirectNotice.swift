/// The page that confirms an action and redirects.
struct RedirectNotice {
  let context: PageContext

  /// Returns the page with a sentence and the escaped target address.
  func html(_ sentence: String, to address: String) -> String {
    PageFrame(context: context).page(
      title: PageContext.siteName, bodyClass: "standardredirect",
      content: """
        <center>
        <div class="standard" id="main_wide">
        <h2>Redirecting...</h2>
        <div class="inner">
        \(sentence)<br>
        <br>
        <div style="text-align:center;">
        <a href="\(address)">Click here if you do not want to wait any longer</a><br>
        <a href="\(address)">(or if your browser does not automatically forward you)</a>
        </div>
        </div>
        </div>
        </center>
        """)
  }

  /// Returns the page after a reply or an edit. Early pages name only the thread; later pages name the post.
  func posted(_ postID: Int, thread: Int) -> String {
    let address =
      context.markup == .revision2012
      ? "showthread.php?s=&amp;threadid=\(thread)&amp;goto=lastpost"
      : "showthread.php?goto=post&amp;postid=\(postID)#post\(postID)"
    return html("Your post is in the thread. You will now be returned to it.", to: address)
  }

  /// Returns the page after a new thread. Early pages have an empty session in the address.
  func newThread(_ threadID: Int) -> String {
    let session = context.markup == .revision2012 ? "s=&amp;" : ""
    let address = "showthread.php?\(session)threadid=\(threadID)"
    return html("Your thread has begun. You will now be taken to it.", to: address)
  }
}
