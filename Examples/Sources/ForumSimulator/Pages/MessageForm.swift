/// The pages with the forms for private messages: a message to write, and the folders.
struct MessageForm {
  /// The initial contents of the fields.
  struct Fields {
    var recipient = ""
    var title = ""
    var text = ""
    /// The message to answer or forward.
    var earlierID: Int?
    var isForward = false
  }

  let context: PageContext

  func compose(_ fields: Fields) -> String {
    let trail = """
      <div class="breadcrumbs"><span class="mainbodytextlarge"><b>\
      <a href="/">\(PageContext.siteName)</a> &gt; <a href="private.php?s=">Private Messages</a></b>\
      </span></div>
      """
    return page(
      """
      \(trail)
      \(ControlPanel(context: context).navigation)
      <form action="private.php" method="post" name="vbform">
      <input type="hidden" name="prevmessageid" value="\(fields.earlierID.map { "\($0)" } ?? "")">
      <input type="hidden" name="action" value="dosend">
      <input type="hidden" name="forward" value="\(fields.isForward ? "true" : "")">
      <table class="standard" id="main_full">
      <thead><tr><th colspan="2">New Private Message</th></tr></thead>
      <tr>
      \t<td><b>Recipient:</b></td>
      \t<td><input type="text" name="touser" value="\(HTML.escaped(fields.recipient))" size="35"></td>
      </tr>
      <tr>
      \t<td><b>Subject:</b></td>
      \t<td><input type="text" name="title" value="\(HTML.escaped(fields.title))" size="40" \
      maxlength="85"></td>
      </tr>
      \(IconRow(context: context, chosenID: 0).html)
      <tr>
      \t<td><b>Message:</b></td>
      \t<td>
      \(HTML.textArea("message", fields.text))<br>
      \t</td>
      </tr>
      <tr>
      \t<td><b>Options</b></td>
      \t<td class="smalltext">
      <input type="checkbox" name="parseurl" value="yes" checked> <b>Automatically parse URLs</b><br>
      <input type="checkbox" name="signature" value="yes" > <b>Show Signature</b><br>
      <input type="checkbox" name="savecopy" value="yes" checked> <b>Save a copy</b>
      \t</td>
      </tr>
      </table>
      <div class="postbuttons">
      \t<input type="submit" class="bginput" name="submit" value="Send Message">
      </div>
      </form>
      """, bodyClass: "priv_sendprivmsg")
  }

  /// Returns the page with the account's own folders, and empty fields for new folders.
  func folders(_ folders: [SiteFolder]) -> String {
    let highest = (folders.map(\.id).max() ?? 0) + 3
    let boxes = (1...highest).filter { id in
      folders.contains { $0.id == id } || id > highest - 3
    }.map { id in
      let name = folders.first { $0.id == id }?.name ?? ""
      return "<input type=\"text\" class=\"bginput\" name=\"folderlist[\(id)]\" "
        + "value=\"\(HTML.escaped(name))\" size=\"30\"><br>"
    }
    return page(
      """
      \(ControlPanel(context: context).breadcrumbs("Edit Folders"))
      \(ControlPanel(context: context).navigation)
      <form action="private.php" method="post">
      <input type="hidden" name="action" value="doeditfolders">
      <input type="hidden" name="highest" value="\(highest)">
      <div class="standard">
      <h2>Edit Folders</h2>
      <div class="inner">
      \(boxes.joined(separator: "\n"))
      <input type="submit" class="bginput" name="submit" value="Edit Folders">
      </div>
      </div>
      </form>
      """, bodyClass: "priv_editfolders")
  }

  private func page(_ content: String, bodyClass: String) -> String {
    PageFrame(context: context).page(
      title: "Private Messages - \(PageContext.siteName)", bodyClass: bodyClass, content: content)
  }
}
