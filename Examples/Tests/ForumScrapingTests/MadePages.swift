import ForumScraping

/// Small pages with invented names, in the site's markup.
enum MadePages {
  static func page(_ body: String, attributes: String = "", title: String = "") -> [UInt8] {
    let text = """
      <!DOCTYPE html><html><head><title>\(title)</title></head>
      <body id="something_awful" \(attributes)><div id="content">\(body)</div></body></html>
      """
    return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  static func post(
    _ id: Int, index: String, row: String = "seen1", table: String = "", author: String = "Ada Fern"
  ) -> String {
    """
    <table class="post \(table)" id="post\(id)" \(index)><tr class="\(row)"><td class="userinfo userid-11">
    <dl class="userinfo"><dt class="author op role-mod clever">\(author)</dt><dd class="registered">Sep  9, 2003</dd>
    <dd class="title">plain</dd><dd class="title"><img src="//x/title-ada.2.gif"><br class="pb"></dd></dl></td>
    <td class="postbody">Hello &amp; <b>welcome</b></td></tr><tr><td class="postdate"><a href="#post\(id)">#</a>
    Sep 20, 2012 11:16
    </td><td><ul class="profilelinks"><li><a href="member.php?userid=11">P</a></li>
    <li><a href="private.php?action=newmessage&amp;userid=11">M</a></li></ul>
    <ul class="postbuttons"><li><a href="editpost.php?postid=\(id)">e</a></li></ul></td></tr></table>
    """
  }

  static let breadcrumbs = """
    <div class="breadcrumbs"><span class="mainbodytextlarge"><a href="/">Home</a> &gt;
    <a href="forumdisplay.php?forumid=5">Group</a> &gt; <a href="forumdisplay.php?forumid=6">Birds &amp; Bees</a> &gt;
    <a href="showthread.php?threadid=77">On larks</a></span> <a href="forumdisplay.php?forumid=6">again</a></div>
    """

  static func thread(_ posts: String, pages: String = "", buttons: String = "") -> [UInt8] {
    page(
      "\(pages)\(breadcrumbs)<ul class=\"postbuttons\">\(buttons)</ul><div id=\"thread\" class=\"thread:77\">\(posts)</div>",
      attributes: "class=\"showthread\" data-thread=\"77\" data-forum=\"6\"")
  }

  static func row(_ id: Int, star: String = "", seen: String = "", extra: String = "") -> String {
    """
    <tr class="thread \(extra)" id="thread\(id)"><td class="star \(star)"></td>
    <td class="icon"><img src="/icons/lark.png#31"></td><td class="title title_sticky">\(seen)
    <a class="thread_title" href="showthread.php?threadid=\(id)">On larks</a></td>
    <td class="author"><a href="member.php?userid=11">Ada Fern</a></td><td class="replies">120</td>
    <td class="views">9</td><td class="rating"><img src="/r/4stars.gif" title="26 votes - 3.81 average"></td>
    <td class="lastpost"><div class="date">19:42 Feb 25, 2012</div><a class="author" href="#">Bo Reed</a></td></tr>
    """
  }
}
