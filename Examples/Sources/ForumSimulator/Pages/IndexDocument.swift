/// The forum index as JSON, and as a plain page with the same tree.
struct IndexDocument {
  let context: PageContext

  var json: String {
    var members: [(String, JSONText)] = [("stats", statistics)]
    if let viewer = context.viewer { members.append(("user", user(viewer))) }
    members.append(("forums", .array(context.state.children(of: nil).map(forum))))
    return JSONText.object(members).text
  }

  var html: String {
    let links = context.state.forums.map { forum in
      "<li><a href=\"forumdisplay.php?forumid=\(forum.id)\">\(HTML.escaped(forum.name))</a></li>"
    }
    return PageFrame(context: context).page(
      title: PageContext.siteName, bodyClass: "index",
      content: "<ul id=\"forums\">\n\(links.joined(separator: "\n"))\n</ul>")
  }

  private var statistics: JSONText {
    let posts = context.state.threads.reduce(0) { $0 + $1.posts.count }
    return .object([
      ("archived_posts", .number(0)), ("archived_threads", .number(0)),
      ("banned_users", .number(0)), ("banned_users_total", .number(0)),
      ("online_registered", .number(context.state.users.count / 3)),
      ("online_total", .number(context.state.users.count / 2)),
      ("unique_posts", .number(posts)), ("unique_threads", .number(context.state.threads.count)),
      ("usercount", .number(context.state.users.count)),
    ])
  }

  private func user(_ user: SiteUser) -> JSONText {
    let posts = context.state.threads.flatMap(\.posts).filter { $0.authorID == user.id }
    let days = max((context.state.clock - user.registered) / 86_400, 1)
    return .object([
      ("userid", .number(user.id)), ("username", .string(user.name)), ("homepage", .string("")),
      ("icq", .string("")), ("aim", .string("")), ("yahoo", .string("")), ("gender", .string("U")),
      ("usertitle", .string(HTML.escaped(user.tagline))), ("joindate", .number(user.registered)),
      ("lastpost", .number(posts.map(\.date).max() ?? 0)), ("posts", .number(posts.count)),
      ("receivepm", .number(user.acceptsMessages ? 1 : 0)), ("role", .string(role(of: user))),
      ("postsperday", .hundredths(posts.count * 100 / days)),
      ("biography", .string("")), ("location", .string("")), ("interests", .string("")),
      ("occupation", .string("")), ("picture", .string("")),
    ])
  }

  private func role(of user: SiteUser) -> String {
    switch user.role {
    case .administrator: "AD"
    case .moderator: "MO"
    case .platinum, .archives: "PL"
    case .normal: ""
    }
  }

  private func forum(_ forum: SiteForum) -> JSONText {
    .object([
      ("id", .number(forum.id)), ("title", .string(HTML.escaped(forum.name))),
      ("title_short", .string(HTML.escaped(forum.shortName))),
      ("has_threads", .boolean(!forum.isGroup)), ("icon", .string("")),
      ("sub_forums", .array(context.state.children(of: forum.id).map(self.forum))),
      ("moderators", .array(forum.moderatorIDs.map(moderator))),
    ])
  }

  private func moderator(_ id: Int) -> JSONText {
    .object([
      ("userid", .number(id)), ("username", .string(HTML.escaped(context.state.userName(id)))),
    ])
  }
}
