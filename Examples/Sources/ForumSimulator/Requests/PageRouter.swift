/// Chooses the answer to a request. Pure: what a request changes is listed in the answer.
struct PageRouter {
  let state: SiteState
  let viewer: SiteUser?
  let markup: Markup

  private var context: PageContext { PageContext(state: state, viewer: viewer, markup: markup) }
  private var errors: ErrorPage { ErrorPage(context: context) }

  func answer(to request: SiteRequest) -> SiteAnswer {
    if request.path != "account.php" {
      if viewer == nil, state.demandsLogIn { return page(errors.mustRegister) }
      if viewer?.standing == .banned { return page(errors.banned) }
    }
    switch request.path {
    case "", "index.php": return index(request)
    case "forumdisplay.php": return threadList(request)
    case "bookmarkthreads.php": return bookmarks(request)
    case "showthread.php": return posts(request)
    case "announcement.php": return page(AnnouncementPage(context: context).html)
    case "threadrate.php": return rate(request)
    case "private.php":
      guard let viewer else { return page(errors.mustRegister) }
      return MessageRouter(context: context, viewer: viewer).answer(to: request)
    case "member.php": return MemberRouter(context: context).profile(request)
    case "member2.php": return MemberRouter(context: context).list(request)
    case "banlist.php": return MemberRouter(context: context).punishments(request)
    case "newreply.php", "editpost.php", "newthread.php":
      return PostingRouter(context: context).answer(to: request)
    case "account.php": return account(request)
    default:
      return error("Not found", "The page you asked for is not part of this site.", status: 404)
    }
  }

  private func index(_ request: SiteRequest) -> SiteAnswer {
    let document = IndexDocument(context: context)
    return request.query["json"] == "1"
      ? SiteAnswer(response: .json(document.json)) : page(document.html)
  }

  private func threadList(_ request: SiteRequest) -> SiteAnswer {
    guard let forum = request.number("forumid").flatMap({ state.forum($0) }) else {
      return error("Unknown forum", "There is no forum of this number.")
    }
    return page(ThreadListPage(context: context, request: request).html(of: forum))
  }

  private func bookmarks(_ request: SiteRequest) -> SiteAnswer {
    guard let viewer else { return page(errors.mustRegister) }
    let threadID = request.number("threadid") ?? 0
    switch request.parameter("action") {
    case "add":
      let colour = min(max(request.number("category_id") ?? 0, 0), 5)
      return done(.bookmark(user: viewer.id, thread: threadID, colour: colour))
    case "remove":
      return done(.removeBookmark(user: viewer.id, thread: threadID))
    default:
      return page(ThreadListPage(context: context, request: request).bookmarksHTML(of: viewer))
    }
  }

  private func rate(_ request: SiteRequest) -> SiteAnswer {
    guard let viewer else { return page(errors.mustRegister) }
    let thread = request.number("threadid") ?? 0
    let answer = page(errors.standard(title: "Thank you", message: "Your vote has been counted."))
    return SiteAnswer(
      response: answer.response,
      changes: [.vote(user: viewer.id, thread: thread, value: request.number("vote") ?? 0)])
  }

  private func account(_ request: SiteRequest) -> SiteAnswer {
    switch request.parameter("action") {
    case "login": return logIn(request)
    case "logout":
      var response = SiteResponse.redirect(to: "/index.php")
      response.add(Session.removal)
      return SiteAnswer(response: response)
    default: return page(LogInForm(context: context).html)
    }
  }

  private func logIn(_ request: SiteRequest) -> SiteAnswer {
    guard request.method == "POST",
      let user = request.form["username"].flatMap({ state.user(named: $0) }),
      request.form["password"] == ForumSite.password
    else {
      return error("Log-in refused", "The name or the password is wrong.")
    }
    let next = request.form["next"] ?? request.query["next"] ?? "/index.php"
    let isLocal = next.hasPrefix("/") && !next.hasPrefix("//")
    var response = SiteResponse.redirect(to: isLocal ? next : "/index.php")
    response.add(Session.cookies(for: user, state: state))
    return SiteAnswer(response: response)
  }

  private func posts(_ request: SiteRequest) -> SiteAnswer {
    if request.query["goto"] == "post" { return post(request) }
    if request.query["action"] == "showpost" { return onePost(request) }
    guard let thread = request.number("threadid").flatMap({ state.thread($0) }) else {
      return error("Unknown thread", "There is no thread of this number.")
    }
    if let action = request.parameter("action"), let viewer {
      switch action {
      case "setseen":
        let index = request.number("index") ?? 0
        return done(.setMarker(user: viewer.id, thread: thread.id, at: index))
      case "resetseen": return done(.forgetMarker(user: viewer.id, thread: thread.id))
      default: break
      }
    }
    switch request.query["goto"] {
    case "newpost": return redirect(to: firstUnseen(of: thread), in: thread, request: request)
    case "lastpost": return redirect(to: thread.posts.count, in: thread, request: request)
    default: return pageOfPosts(thread, request: request)
    }
  }

  private func pageOfPosts(_ thread: SiteThread, request: SiteRequest) -> SiteAnswer {
    let threadPage = ThreadPage(context: context, thread: thread, request: request)
    var answer = page(threadPage.html)
    if let viewer, threadPage.onlyAuthorID == nil, request.query["noseen"] != "1" {
      let index = threadPage.slice.positions.upperBound
      answer.changes = [.see(user: viewer.id, thread: thread.id, upTo: index)]
    }
    return answer
  }

  private func onePost(_ request: SiteRequest) -> SiteAnswer {
    guard let (thread, position) = request.number("postid").flatMap({ state.location(ofPost: $0) })
    else { return error("Unknown post", "There is no post of this number.") }
    return page(SinglePostPage(context: context, thread: thread, position: position).html)
  }

  private func post(_ request: SiteRequest) -> SiteAnswer {
    guard let (thread, position) = request.number("postid").flatMap({ state.location(ofPost: $0) })
    else { return error("Unknown post", "There is no post of this number.") }
    let fragment = "post\(thread.posts[position].id)"
    return redirect(to: position + 1, in: thread, request: request, fragment: fragment)
  }

  private func firstUnseen(of thread: SiteThread) -> Int {
    min((context.seenCount(of: thread) ?? 0) + 1, thread.posts.count)
  }

  /// The page number follows the page size asked for, but the address forgets that size.
  private func redirect(
    to index: Int, in thread: SiteThread, request: SiteRequest, fragment: String? = nil
  ) -> SiteAnswer {
    let size = PageSlice.pageSize(of: request, viewer: viewer)
    let position = max(index - 1, 0)
    var location = "/showthread.php?threadid=\(thread.id)&userid=0"
    location += "&pagenumber=\(position / size + 1)"
    if request.query["noseen"] == "1" { location += "&noseen=1" }
    return SiteAnswer(
      response: .redirect(to: "\(location)#\(fragment ?? "pti\(position % size + 1)")"))
  }

  private func page(_ html: String) -> SiteAnswer { .page(html) }

  private func error(_ title: String, _ message: String, status: Int = 200) -> SiteAnswer {
    .error(title, message, in: context, status: status)
  }

  private func done(_ change: SiteChange) -> SiteAnswer { .done(change) }
}
