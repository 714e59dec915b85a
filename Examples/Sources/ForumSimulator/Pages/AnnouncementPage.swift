/// The page with the texts of all announcements, in the order of the lists and with two rows for each.
struct AnnouncementPage {
  let context: PageContext

  var html: String {
    let rows = context.state.announcements.map(rows)
    return PageFrame(context: context).page(
      title: "\(PageContext.siteName) - Announcements", bodyClass: "announcements",
      content: """
        <div class="breadcrumbs"><a href="index.php">\(PageContext.siteName)</a> &gt; \
        Announcements</div>
        <div id="thread">
        <table class="post" id="main_full">
        \(rows.joined(separator: "\n"))
        </table>
        </div>
        """)
  }

  private func rows(_ announcement: SiteAnnouncement) -> String {
    let author = context.state.user(announcement.authorID)
    var maker = TextMaker(seed: announcement.textSeed)
    let text = maker.paragraphs().map(HTML.escaped).joined(separator: "<br>\n<br>\n")
    return """
      <tr valign="top">
      \t<td class="userinfo">
      \t\t<dl class="userinfo">
      \t\t\t<dt class="author">\(HTML.escaped(author?.name ?? ""))</dt>
      \t\t\t<dd class="registered">\(context.clock.dayOnly(author?.registered ?? 0))</dd>
      \t\t\t<dd class="title">\(HTML.escaped(author?.tagline ?? ""))</dd>
      \t\t</dl>
      \t</td>
      \t<td class="postbody">
      \(text)
      \t</td>
      </tr>
      <tr>
      \t<td class="postdate">\(context.clock.dayOnly(announcement.date))</td>
      \t<td class="postlinks"></td>
      </tr>
      """
  }
}
