/// The parts that all pages share: head, navigation and footer.
struct PageFrame {
  let context: PageContext

  /// Returns a complete page.
  ///
  /// - Parameters:
  ///   - title: The title, in plain text.
  ///   - bodyClass: The classes of the body.
  ///   - bodyData: The data attributes of the body, by name without `data-`.
  ///   - content: The HTML of the content.
  func page(
    title: String, bodyClass: String, bodyData: [(name: String, value: Int)] = [],
    content: String
  ) -> String {
    let attributes = bodyData.map { " data-\($0.name)=\"\($0.value)\"" }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      \t<title>\(HTML.escaped(title))</title>
      \t<link rel="stylesheet" type="text/css" href="/css/main.css">
      </head>
      <body id="something_awful" class="\(bodyClass)"\(attributes)>
      \(usergroup)<div id="globalmenu">
      \t<ul>
      \t\t<li class="first"><a href="/index.php">\(PageContext.siteName)</a></li>
      \t</ul>
      </div>
      <div id="container">
      \(navigation(id: " id=\"navigation\""))
      <div id="content">
      \(content)
      </div><!-- #content -->
      \(navigation(id: ""))
      \t<div id="copyright">A made-up site. Nobody on it exists.</div>
      </div><!-- #container -->
      </body>
      </html>

      """
  }

  /// Returns the breadcrumbs of a page below a forum.
  ///
  /// - Parameters:
  ///   - forumID: The forum of the page.
  ///   - last: The link after the forum, for the page of a thread.
  func breadcrumbs(forumID: Int, last: (address: String, title: String)? = nil) -> String {
    var links = ["<a href=\"/\">\(PageContext.siteName)</a>"]
    let path = context.state.path(toForum: forumID)
    for forum in path {
      let isLast = last == nil && forum.id == path.last?.id
      let mark = isLast ? " class=\"bclast\"" : ""
      links.append(
        "<a href=\"forumdisplay.php?forumid=\(forum.id)\"\(mark)>\(HTML.escaped(forum.name))</a>")
    }
    if let last {
      links.append("<a href=\"\(last.address)\" class=\"bclast\">\(HTML.escaped(last.title))</a>")
    }
    return """
      <div class="breadcrumbs"><span class="mainbodytextlarge"><b>\
      \(links.joined(separator: " &gt; "))</b></span></div>
      """
  }

  private var usergroup: String {
    context.markup == .revision2012 ? "" : "<div id=\"usergroup\" class=\"145\"></div>\n"
  }

  private func navigation(id: String) -> String {
    let log =
      context.viewer == nil
      ? "<a href=\"/account.php?action=loginform\">Log In</a>"
      : "<a href=\"/account.php?action=logout\">Log Out</a>"
    return """
      \t<ul\(id) class="navigation">
      <li class="first"><a href="/index.php">Forums</a></li>
      <li>- <a href="/usercp.php">Control Panel</a></li>
      <li>- <a href="/bookmarkthreads.php">Bookmarks</a></li>
      <li>- \(log)</li>
      </ul>
      """
  }
}
