/// The shared parts of the pages about the reader's own account.
struct ControlPanel {
  let context: PageContext

  /// Returns the breadcrumbs of a page, which end with the page's name.
  func breadcrumbs(_ last: String) -> String {
    let name = HTML.escaped(context.viewer?.name ?? "")
    return """
      <div class="breadcrumbs"><a href="index.php">\(PageContext.siteName)</a> &gt; \
      <a href="usercp.php">User Control Panel For \(name)</a> &gt; \(last)</div>
      """
  }

  var navigation: String {
    """
    <ul id="usercpnav">
    \t<li><a href="usercp.php">User CP Home</a></li>
    \t<li><a href="private.php">Private Messages</a></li>
    \t<li><a href="bookmarkthreads.php">Bookmarked Threads</a></li>
    \t<li><a href="member2.php?action=viewlist&amp;userlist=ignore">Edit Ignore List</a></li>
    </ul>
    """
  }
}
