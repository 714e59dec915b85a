import ForumClient
import ForumScraping
import ForumSimulator
import Testing

/// Replies, edits and new threads: forms of the site read and sent back by our own code.
@Suite("Posting")
struct PostingTests {
  let site = ForumSite(seed: 7)

  func openThread() throws -> SiteTruth.Thread {
    try #require(site.truth().threads.first { !$0.isClosed && $0.posts.count > 3 })
  }

  func replyForm(_ visitor: Visitor, _ thread: SiteTruth.Thread) throws -> FormPage {
    try visitor.form(
      .replyForm, "newreply.php", ["action": "newreply", "threadid": thread.id])
  }

  @Test(
    "a reply form sent back is a post, named by the page that follows", arguments: Markup.allCases)
  func reply(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let thread = try openThread()
    let text = "First line\nsecond \u{2603} <b> & \u{201C}quotes\u{201D} é\n\n[b]bold[/b]"
    let form = try replyForm(visitor, thread).form
    #expect(form.encodingType == "multipart/form-data")
    #expect(form.controls(named: "action").map(\.value) == ["postreply"])
    let page = try visitor.send(form, ["message": text]).redirect
    let post = try #require(site.truth().typedPosts(containing: text).first)
    #expect(post.typed == text)
    #expect(post.author == ForumSite.defaultUserName)
    #expect(post.index == thread.posts.count + 1)
    #expect(page.postID == (markup == .revision2012 ? nil : post.id))
    #expect(page.threadID == (markup == .revision2012 ? thread.id : nil))
    let posts = try visitor.read(
      "showthread.php", ["threadid": thread.id, "pagenumber": "99", "perpage": "40"]
    ).expectThread().posts
    let shown = try #require(posts.last)
    #expect(shown.id == post.id)
    #expect(shown.isEditable)
    #expect(shown.bodyHTML.contains("First line<br>"))
    #expect(shown.bodyHTML.contains("\u{2603} &lt;b&gt; &amp; "))
    #expect(shown.bodyHTML.contains("<b>bold</b>"))
  }

  @Test("submitting the same form twice creates two posts, as on the real site")
  func twice() throws {
    let visitor = Visitor(site)
    let form = try replyForm(visitor, openThread()).form
    let pages = try (0..<2).map { _ in try visitor.send(form, ["message": "again"]).redirect }
    #expect(site.truth().typedPosts(containing: "again").map(\.id) == pages.map(\.postID))
  }

  @Test(
    "a preview shows the post and the form again, and posts nothing", arguments: Markup.allCases)
  func preview(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let form = try replyForm(visitor, openThread()).form
    let page = try visitor.send(form, pressing: "preview", ["message": "\n[i]soon[/i] <3"])
      .expectForm(.replyForm)
    #expect(page.previewHTML?.contains("<i>soon</i> &lt;3") == true)
    #expect(page.form.controls(named: "message").map(\.value) == ["\n[i]soon[/i] <3"])
    #expect(site.truth().typedPosts().isEmpty)
  }

  @Test("the form of a quotation contains the post's text, which becomes a linked quotation")
  func quotation() throws {
    let visitor = Visitor(site)
    let thread = try openThread()
    let post = thread.posts[1]
    let form = try visitor.form(
      .replyForm, "newreply.php", ["action": "newreply", "postid": post.id]
    ).form
    let text = try #require(form.controls(named: "message").first?.value)
    #expect(text.hasPrefix("[quote=\"\(post.author)\" post=\"\(post.id)\"]\n\(post.text)"))
    #expect(text.hasSuffix("\n[/quote]\n\n"))
    _ = try visitor.send(form, ["message": text + "my answer"]).redirect
    let page = try visitor.read(
      "showthread.php", ["threadid": thread.id, "pagenumber": "99", "perpage": "40"])
    let body = try #require(page.expectThread().posts.last?.bodyHTML)
    #expect(body.contains("goto=post&amp;postid=\(post.id)#post\(post.id)"))
    #expect(body.contains("\(post.author) posted:"))
    #expect(
      body.hasSuffix(
        "<br>\nmy answer\n\t\t<!-- EndContentMarker -->\n\t\t<p class=\"editedby\"></p>"))
    let second = try #require(site.truth().typedPosts().last)
    let nested = try visitor.form(
      .replyForm, "newreply.php", ["action": "newreply", "postid": second.id]
    ).form
    #expect(
      nested.controls(named: "message").first?.value
        == "[quote=\"\(second.author)\" post=\"\(second.id)\"]\nmy answer\n[/quote]\n\n")
  }

  @Test("an own post is changed, by its author only")
  func edit() throws {
    let visitor = Visitor(site)
    let thread = try openThread()
    _ = try visitor.send(replyForm(visitor, thread).form, ["message": "before"]).redirect
    let post = try #require(site.truth().typedPosts().last)
    let query = ["action": "editpost", "postid": post.id]
    let form = try visitor.form(.editPostForm, "editpost.php", query).form
    #expect(form.controls(named: "message").map(\.value) == ["before"])
    #expect(try visitor.send(form, ["message": "after"]).redirect.postID == post.id)
    #expect(site.truth().typedPosts().map(\.typed) == ["after"])
    let other = Visitor(site, name: ForumSite.twelveHourUserName)
    #expect(try other.read("editpost.php", query).error.kind == .standard)
    let key = try replyForm(other, thread).form.controls(named: "formkey").map(\.value)
    let forged = ["formkey": key.first ?? "", "postid": post.id, "action": "updatepost"]
    let answer = other.post("editpost.php", forged.merging(["message": "mine"]) { $1 })
    #expect(try Visitor.read(answer).error.kind == .standard)
    #expect(site.truth().typedPosts().map(\.typed) == ["after"])
  }

  @Test("a generated post of the reader is edited in the form in which a reader types")
  func editMadeUpPost() throws {
    let visitor = Visitor(site)
    let post = try #require(
      site.truth().threads.filter { !$0.isClosed }.flatMap(\.posts).first {
        $0.author == ForumSite.defaultUserName
      })
    let query = ["action": "editpost", "postid": post.id]
    let form = try visitor.form(.editPostForm, "editpost.php", query).form
    #expect(form.controls(named: "message").first?.value.contains(post.text) == true)
  }

  @Test("a new thread is begun with its icon and bookmarked", arguments: Markup.allCases)
  func newThread(markup: Markup) throws {
    let visitor = Visitor(site, markup: markup)
    let forum = try #require(site.truth().forums.first { !$0.isGroup })
    let page = try visitor.form(
      .newThreadForm, "newthread.php", ["action": "newthread", "forumid": forum.id])
    #expect(page.icons.primaryName == "iconid")
    let icon = try #require(page.icons.primary.dropFirst(3).first)
    let answer = try visitor.send(
      page.form,
      ["subject": "Hello & \u{2603}", "message": "First post", "iconid": icon.id ?? ""]
    ).redirect
    let thread = try #require(site.truth().threads.last)
    #expect(answer.threadID == thread.id)
    #expect(answer.postID == nil)
    #expect(thread.title == "Hello & \u{2603}")
    #expect(thread.tag == icon.imageName)
    #expect(thread.bookmark == 0)
    #expect(thread.posts.map(\.typed) == ["First post"])
    let row = try #require(
      visitor.read("forumdisplay.php", ["forumid": forum.id, "perpage": "40"]).expectThreadList()
        .threads.first { $0.id == thread.id })
    #expect(row.icon == icon)
    #expect(row.replyCount == 0)
  }

  @Test("a thread without an icon is listed without one")
  func noIcon() throws {
    let visitor = Visitor(site)
    let forum = try #require(site.truth().forums.first { !$0.isGroup })
    let form = try visitor.form(
      .newThreadForm, "newthread.php", ["action": "newthread", "forumid": forum.id]
    ).form
    #expect(form.submission(pressing: "submit").contains { $0.name == "iconid" && $0.value == "0" })
    _ = try visitor.send(form, ["subject": "Plain", "message": "x"]).redirect
    let rows = try visitor.read("forumdisplay.php", ["forumid": forum.id, "perpage": "40"])
      .expectThreadList().threads
    let row = try #require(rows.first { $0.title == "Plain" })
    #expect(row.icon == nil)
    #expect(site.truth().threads.last?.tag == "")
  }

  @Test("posts by guests and banned or punished members, and in closed threads, are rejected")
  func refusals() throws {
    let closed = try #require(site.truth().threads.first { $0.isClosed })
    let query = ["action": "newreply", "threadid": closed.id]
    let refusal = try Visitor(site).read("newreply.php", query).error
    #expect(refusal.kind == .threadClosed)
    #expect(refusal.threadID == closed.id)
    #expect(try Visitor(site, name: nil).read("newreply.php", query).error.kind == .mustRegister)
    let grounded = Visitor(site, name: ForumSite.probationUserName)
    #expect(try grounded.read("newreply.php", query).error.kind == .banned)
    #expect(try grounded.read("showthread.php", ["threadid": closed.id]).kind == .threadPage)
    let banned = Visitor(site, name: ForumSite.bannedUserName)
    for path in ["newreply.php", "showthread.php", "index.php"] {
      let error = try banned.read(path, query).error
      #expect(error.kind == .banned)
      #expect(error.reasonAddress?.contains("banlist.php?userid=") == true)
    }
  }

  @Test("a thread that closes while a reply is written rejects the reply")
  func closedMeanwhile() throws {
    let visitor = Visitor(site)
    let thread = try openThread()
    let form = try replyForm(visitor, thread).form
    site.closeThread(thread.id)
    #expect(try visitor.send(form, ["message": "late"]).error.kind == .threadClosed)
    #expect(site.truth().typedPosts().isEmpty)
  }

  @Test(
    "hostile forms return an error page and post nothing",
    arguments: [
      ["message": ""], ["message": " \n\t "], ["formkey": "0"], ["formkey": ""],
      ["action": "dance"], ["threadid": "99999999999999999999999"], ["threadid": "-1"],
      ["message": String(repeating: "x", count: 50_001)],
    ])
  func hostile(entered: [String: String]) throws {
    let visitor = Visitor(site)
    let form = try replyForm(visitor, openThread()).form
    let filled = ["message": "text"].merging(entered) { $1 }
    #expect(try visitor.send(form, filled).error.kind == .standard)
    #expect(site.truth().typedPosts().isEmpty)
  }

  @Test(
    "invalid bodies return an error page",
    arguments: [
      nil, "multipart/form-data", "multipart/form-data; boundary=",
      "multipart/form-data; boundary=\"", "multipart/form-data; boundary=q", "text/plain",
    ])
  func brokenBody(contentType: String?) throws {
    let bodies = [
      "", "--q", "--q\r\n\r\n", "--q\r\nname=\"message\"\r\n\r\n", "%", "&&==&=%f", "\u{FF}\u{0}",
      "--q\r\nContent-Disposition: form-data; name=\"message\r\n\r\nx\r\n--q--",
    ]
    for path in ["newreply.php", "newthread.php", "editpost.php"] {
      for body in bodies {
        let answer = Visitor(site).post(path, contentType: contentType, body: Array(body.utf8))
        #expect(try Visitor.read(answer).error.kind == .standard)
      }
    }
    #expect(site.truth().typedPosts().isEmpty)
  }

  @Test("a new thread needs a subject, a text, a known icon and a forum that allows threads")
  func newThreadRefusals() throws {
    let visitor = Visitor(site)
    let forums = site.truth().forums
    let forum = try #require(forums.first { !$0.isGroup })
    let group = try #require(forums.first { $0.isGroup })
    let form = try visitor.form(
      .newThreadForm, "newthread.php", ["action": "newthread", "forumid": forum.id]
    ).form
    let good = ["subject": "S", "message": "M"]
    let wrong = [
      ["subject": ""], ["subject": String(repeating: "s", count: 76)], ["message": ""],
      ["iconid": "7"], ["iconid": "many"], ["forumid": group.id], ["forumid": ""],
    ]
    for entered in wrong {
      let page = try visitor.send(form, good.merging(entered) { $1 })
      #expect(try page.error.kind == .standard)
    }
    #expect(site.truth().typedPosts().isEmpty)
  }

  @Test("typed tags become markup; invalid tags and addresses stay unchanged")
  func markup() throws {
    let visitor = Visitor(site)
    let thread = try openThread()
    let cases = [
      ("[b]x[/i]", "<b>x[/i]</b>"), ("[/b] [", "[/b] ["),
      ("[url=https://a.example/?q=1&r]go[/url]", "href=\"https://a.example/?q=1&amp;r\""),
      ("[url]javascript:alert(1)[/url]", "[url]javascript:alert(1)"),
      ("[code][b]x[/b][/code]", "<code>[b]x[/b]</code>"),
      ("[quote]a[quote]b[/quote][/quote]", "<blockquote>a<div class=\"bbc-block\"><blockquote>b"),
      ("[spoiler]s[/spoiler]", "<span class=\"bbc-spoiler\">s</span>"),
    ]
    for (typed, expected) in cases {
      let page = try visitor.send(
        replyForm(visitor, thread).form, pressing: "preview", ["message": typed]
      ).expectForm(.replyForm)
      #expect(page.previewHTML?.contains(expected) == true, "\(typed)")
    }
  }
}
