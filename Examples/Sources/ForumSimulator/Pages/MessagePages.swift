/// The pages that show private messages: a folder, and one message.
struct MessagePages {
  /// The number of messages that a folder shows unless the request asks for all of them.
  static let shortList = 50

  let context: PageContext
  let owner: SiteUser

  private var panel: ControlPanel { ControlPanel(context: context) }
  private var state: SiteState { context.state }

  /// Returns the message list of a folder.
  func folder(_ folder: SiteFolder, showsAll: Bool) -> String {
    let all = state.messages(of: owner.id, inFolder: folder.id)
    let isCut = all.count > Self.shortList && !showsAll
    let rows = all.prefix(isCut ? Self.shortList : all.count).map(row)
    let warning =
      isCut
      ? """
      <div class="pmwarn">Only the last fifty messages are shown. \
      <a href="private.php?folderid=\(folder.id)&amp;showall=1">Show all messages</a></div>
      """ : ""
    let name = HTML.escaped(folder.name)
    return PageFrame(context: context).page(
      title: "Private Messages - \(PageContext.siteName)", bodyClass: "privfolder",
      content: """
        \(panel.breadcrumbs("<a href=\"private.php\">Private Messages</a> &gt; \(name)"))
        \(panel.navigation)
        \(warning)
        <form class="folder" action="private.php" method="post">
        \t<b>Jump to folder:</b>
        \t\(folderList(selected: folder.id))<input type="submit" value="Go">
        </form>
        <form class="action" action="private.php" method="post" name="form">
        <table class="standard full">
        <thead>
        <tr><th class="title" colspan="3">Message Title</th><th class="sender">\
        \(folder.id == SiteMessage.sentItems ? "Recipient" : "Sender")</th>\
        <th class="date">Date / Time Sent</th><th class="check"></th></tr>
        </thead>
        <tbody>
        \(rows.joined(separator: "\n"))
        </tbody>
        <tfoot>
        <tr><td align="right" colspan="7">
        <input type="hidden" name="action" value="dostuff">
        <input type="hidden" name="thisfolder" value="\(folder.id)">
        Selected messages: \(folderList(selected: SiteMessage.inbox))
        <input type="submit" class="bginput" name="move" value="Move">
        <input type="submit" class="bginput" name="delete" value="Delete">
        </td></tr>
        </tfoot>
        </table>
        </form>
        """)
  }

  /// Returns the page of one message with its author.
  func message(_ message: SiteMessage) -> String {
    let trail = """
      <div class="breadcrumbs"><span class="mainbodytextlarge"><b>\
      <a href="/">\(PageContext.siteName)</a> &gt; <a href="private.php?">Private Messages</a> &gt; \
      <a href="private.php?folderid=\(message.folderID)"></a>\(HTML.escaped(message.title))</b>\
      </span></div>
      """
    return PageFrame(context: context).page(
      title: "\(message.title) - \(PageContext.siteName)", bodyClass: "privmsg",
      content: """
        \(trail)
        \(panel.navigation)
        <form action="private.php" method="post">
        <input type="hidden" name="action" value="dodelete">
        <input type="hidden" name="privatemessageid" value="\(message.id)">
        <b>Delete?</b> <input type="checkbox" name="delete" value="yes" >
        <input type="submit" class="bginput" value="Delete">
        </form>
        \(table(message))
        <div class="buttons">
        \(button(message, "reply", "Reply to this message"))
        \(button(message, "forward", "Forward this message", query: "forward=true&amp;"))
        </div>
        """)
  }

  private func folderList(selected: Int) -> String {
    let options = state.folders(of: owner.id).map { folder in
      let mark = folder.id == selected ? " selected" : " "
      return "<option value=\"\(folder.id)\"\(mark)>\(HTML.escaped(folder.name))</option>"
    }
    return "<select name=\"folderid\">\n\(options.joined(separator: "\n"))\n</select>"
  }

  private func row(_ message: SiteMessage) -> String {
    let name = HTML.escaped(state.userName(message.otherPartyID))
    return """
      <tr>
      \t<td class="status"><img src="\(statusImage(message))" alt=""></td>
      \t<td class="icon">\(icon(message))</td>
      \t<td class="title"><a href="private.php?action=show&amp;privatemessageid=\(message.id)">\
      \(HTML.escaped(message.title))</a></td>
      \t<td class="sender"><a href="member.php?action=getinfo&amp;userid=\(message.otherPartyID)">\
      \(name)</a></td>
      \t<td class="date">\(context.clock.messageDate(message.date))</td>
      \t<td class="check"><input type="checkbox" name="privatemessage[\(message.id)]" value="yes"></td>
      </tr>
      """
  }

  private func icon(_ message: SiteMessage) -> String {
    guard let tag = SiteThread.Tag.all.first(where: { $0.id == message.iconID }) else {
      return "&nbsp;"
    }
    return
      "<img src=\"\(context.image("posticons/\(tag.name).png"))\" alt=\"\(tag.name)\" border=\"0\">"
  }

  private func statusImage(_ message: SiteMessage) -> String {
    let name =
      !message.isSeen
      ? "newpm" : message.isRepliedTo ? "pmreplied" : message.isForwarded ? "pmforwarded" : "pm"
    return context.image("images/\(name).gif")
  }

  private func table(_ message: SiteMessage) -> String {
    """
    <div id="thread" class="pm">
    <table class="post" id="post">
    <tr>
    \t<td class="userinfo">
    \(Sidebar(context: context).html(of: message.senderID, classes: " userid-\(message.senderID)"))
    \t</td>
    \t<td class="postbody">
    \(BBCode.html(message.text))
    \t</td>
    </tr>
    <tr class="postbar">
    \t<td class="postdate"><img src="\(statusImage(message))" border="0" alt=""> \
    \(context.clock.postDate(message.date))</td>
    \t<td class="postlinks">
    \t\t<ul class="profilelinks">
    \t\t\t<li><a href="member.php?action=getinfo&amp;userid=\(message.senderID)">Profile</a></li>
    \t\t</ul>
    \t</td>
    </tr>
    </table>
    </div>
    """
  }

  private func button(
    _ message: SiteMessage, _ name: String, _ label: String, query: String = ""
  ) -> String {
    """
    <a href="private.php?action=newmessage&amp;\(query)privatemessageid=\(message.id)">\
    <img src="\(context.image("images/pm/\(name).gif"))" alt="\(label)"></a>
    """
  }
}
