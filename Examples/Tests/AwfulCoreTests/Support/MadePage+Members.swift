import ForumScraping

extension MadePage {
  /// A folder of private messages: each is an id, the name of its status image, and the other party's name.
  static func folder(
    id: String = "0",
    of folders: [(id: String, name: String)] = [("0", "Inbox"), ("-1", "Sent Items")],
    subject: String = "A subject", _ messages: [(id: String, status: String, party: String)]
  ) throws -> ScrapedPage {
    let options = folders.map {
      "<option value=\"\($0.id)\"\($0.id == id ? " selected" : "")>\($0.name)</option>"
    }
    let rows = messages.map { message in
      """
      <tr><td class="status"><img src="/images/\(message.status).gif"></td><td class="icon"></td>
      <td class="title"><a href="private.php?action=show&amp;privatemessageid=\(message.id)">\(subject)</a></td>
      <td class="sender"><a href="member.php?action=getinfo&amp;userid=0">\(message.party)</a></td>
      <td class="date">Nov  8, 2012 at 21:30</td>
      <td class="check"><input type="checkbox" name="privatemessage[\(message.id)]" value="yes"></td></tr>
      """
    }
    return try read(
      """
      <html><body id="something_awful" class="privfolder"><form class="folder" action="private.php">
      <select name="folderid">\(options.joined())</select></form>
      <form action="private.php" method="post"><table class="standard"><tbody>\(rows.joined())</tbody></table>
      <input type="hidden" name="action" value="dostuff"></form></body></html>
      """)
  }

  /// A private message.
  static func message(
    _ id: String, userID: String? = "5", author: String = "Ada", subject: String = "A subject",
    body: String = "text"
  ) throws -> ScrapedPage {
    let user = userID.map { " userid-\($0)" } ?? ""
    return try read(
      """
      <html><body id="something_awful" class="privmsg">
      <div class="breadcrumbs"><a href="/">Site</a> &gt; <a href="private.php">Private Messages</a> &gt; \(subject)</div>
      <div id="thread" class="pm"><table class="post"><tr><td class="userinfo\(user)"><dl class="userinfo">
      <dt class="author role-mod">\(author)</dt></dl></td><td class="postbody">\(body)</td></tr>
      <tr><td class="postdate"><img src="/images/pm.gif"> Nov  8, 2012 21:30</td></tr></table></div>
      <div class="buttons"><a href="private.php?action=newmessage&amp;privatemessageid=\(id)">Reply</a></div>
      </body></html>
      """)
  }

  /// A profile with the given facts.
  static func profile(
    _ userID: String = "5", name: String = "Ada", facts: [(String, String)] = [],
    about: String? = nil, contacts: String = "", isForMember: Bool = true
  ) throws -> ScrapedPage {
    let list = facts.map { "<dt>\($0)</dt><dd>\($1)</dd>" }.joined()
    return try read(
      """
      <html><body id="something_awful" class="getinfo"><table><tr><td id="thread"><dl class="userinfo \
      userid-\(userID)"><dt class="author">\(name)</dt></dl></td><td class="info"><h3>About</h3>
      <p>There are posts.</p>\(about.map { "<p>\($0)</p>" } ?? "")
      <dl class="contacts">\(contacts)</dl><dl class="additional">\(list)</dl></td></tr></table>
      \(isForMember ? "<a href=\"/account.php?action=logout\">Log Out</a>" : "")</body></html>
      """)
  }
}
