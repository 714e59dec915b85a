/// The page with the form of a reply, an edit or a new thread, with a preview if requested.
struct PostForm {
  enum Purpose {
    case reply(to: SiteThread)
    case edit(SitePost, in: SiteThread)
    case newThread(in: SiteForum)
  }

  let context: PageContext
  let purpose: Purpose
  var draft = PostDraft()
  private var showsPreview = false

  init(context: PageContext, purpose: Purpose) {
    self.context = context
    self.purpose = purpose
  }

  var html: String {
    let content = [
      PageFrame(context: context).breadcrumbs(forumID: forumID, last: threadLink), preview,
      "<form enctype=\"multipart/form-data\" action=\"\(address)\" name=\"vbform\" method=\"POST\">",
      fields.map(hidden).joined(separator: "\n"), table, buttons, "</form>",
    ]
    return PageFrame(context: context).page(
      title: "\(heading) - \(PageContext.siteName)", bodyClass: bodyClass,
      content: content.joined(separator: "\n"))
  }

  /// Returns the page with a preview of a draft.
  func preview(of draft: PostDraft) -> String {
    var form = self
    form.draft = draft
    form.showsPreview = true
    return form.html
  }

  private var thread: SiteThread? {
    switch purpose {
    case .reply(let thread), .edit(_, let thread): thread
    case .newThread: nil
    }
  }

  private var forumID: Int {
    if case .newThread(let forum) = purpose { return forum.id }
    return thread?.forumID ?? 0
  }

  private var threadLink: (address: String, title: String)? {
    thread.map { (address: "showthread.php?threadid=\($0.id)", title: $0.title) }
  }

  private var address: String {
    switch purpose {
    case .reply: "newreply.php"
    case .edit: "editpost.php"
    case .newThread: "newthread.php"
    }
  }

  private var heading: String {
    switch purpose {
    case .reply: "Post Reply"
    case .edit: "Edit Post"
    case .newThread: "Post New Thread"
    }
  }

  /// The class of the body, which lacks the forum's number in the earliest markup.
  private var bodyClass: String {
    let name = String(address.dropLast(4))
    return context.markup == .revision2012 ? name : "\(name) forum_\(forumID)"
  }

  private var fields: [(name: String, value: String)] {
    let key = [
      ("formkey", context.formKey), ("form_cookie", context.formCookie(for: address)),
    ]
    switch purpose {
    case .reply(let thread): return [("action", "postreply"), ("threadid", "\(thread.id)")] + key
    case .edit(let post, _): return [("action", "updatepost"), ("postid", "\(post.id)")] + key
    case .newThread(let forum): return [("forumid", "\(forum.id)"), ("action", "postthread")] + key
    }
  }

  private func hidden(_ field: (name: String, value: String)) -> String {
    "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">"
  }

  private var preview: String {
    guard showsPreview else { return "" }
    return """
      <div class="standard">
      <h2>Post Preview:</h2>
      <div class="inner postbody">
      \(BBCode.html(draft.message))
      </div>
      </div>
      """
  }

  private var table: String {
    """
    <table class="standard" id="main_full">
    <thead><tr><th colspan="2">\(heading)</th></tr></thead>
    <tr>
    \t<td><b>Logged in user:</b></td>
    \t<td class="user_loggedin">\(HTML.escaped(context.viewer?.name ?? ""))</td>
    </tr>
    \(subjectRows)<tr class="altcolor2">
    \t<td><b>Message:</b></td>
    \t<td>
    \(HTML.textArea("message", draft.message))<br>
    \t</td>
    </tr>
    <tr>
    \t<td><b>Options:</b></td>
    \t<td class="smalltext">
    \(boxes)
    \t</td>
    </tr>
    <tr class="altcolor2">
    \t<td><b>Attach file:</b></td>
    \t<td class="smalltext">
    \t\t<input type="hidden" name="MAX_FILE_SIZE" value="2097152">
    \t\t<input type="file" class="bginput" name="attachment"><br>
    \t</td>
    </tr>
    </table>
    """
  }

  private var subjectRows: String {
    guard case .newThread(let forum) = purpose else { return "" }
    let second =
      forum.hasSecondIcons
      ? SecondIconRow(context: context, chosenID: draft.secondIconID ?? 0).html + "\n" : ""
    return """
      <tr class="altcolor2">
      \t<td><b>Subject:</b></td>
      \t<td><input type="text" class="bginput" name="subject" value="\(HTML.escaped(draft.subject))" \
      size="70" maxlength="\(PostDraft.longestSubject)" tabindex="1"></td>
      </tr>
      \(IconRow(context: context, chosenID: draft.iconID).html)
      \(second)
      """
  }

  private var boxes: String {
    var names = [("parseurl", "Automatically parse URLs"), ("bookmark", "Bookmark thread")]
    if thread != nil { names.append(("disablesmilies", "Disable Smilies in This Post")) }
    names.append(("signature", "Show Signature"))
    return names.map { name, label in
      let mark = draft.boxes.contains(name) ? " checked" : ""
      return
        "\t\t<input type=\"checkbox\" name=\"\(name)\" value=\"yes\"\(mark)> <b>\(label)</b><br>"
    }.joined(separator: "\n")
  }

  private var buttons: String {
    let labels =
      switch purpose {
      case .reply: ("Submit Reply", "Preview Reply")
      case .edit: ("Save Changes", "Preview Post")
      case .newThread: ("Submit New Thread", "Preview Post")
      }
    return """
      <div class="postbuttons">
      \t<input type="submit" class="bginput" name="submit" value="\(labels.0)">
      \t<input type="submit" class="bginput" name="preview" value="\(labels.1)">
      </div>
      """
  }
}
