/// Chooses the response to a request. Pure: the answer lists the changes that the request makes.
struct PageRouter {
  let state: SiteState
  let viewer: SiteUser?
  let markup: Markup

  private var context: PageContext { PageContext(state: state, viewer: viewer, markup: markup) }
  private var errors: ErrorPage { ErrorPage(context: context) }

  func answer(to request: SiteRequest) -> SiteAnswer {
    if let image = MemberImages(state: state).answer(to: request) { return image }
    if request.path != "account.php" {
      if viewer == nil, state.demandsLogIn { return page(errors.mustRegister) }
      if viewer?.standing == .banned { return page(errors.banned) }
    }
    switch request.path {
    case "", "index.php": return index(request)
    case "forumdisplay.php": return threadList(request)
    case "bookmarkthreads.php": return ThreadRouter(context: context).bookmarks(request)
    case "showthread.php": return ThreadRouter(context: context).posts(request)
    case "announcement.php": return page(AnnouncementPage(context: context).html)
    case "threadrate.php": return ThreadRouter(context: context).rate(request)
    case "query.php": return SearchRouter(context: context).answer(to: request)
    case "modalert.php": return ReportRouter(context: context).answer(to: request)
    case "flag.php": return flag(request)
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

  /// Returns the flag of a forum, as JSON even in case of an error.
  private func flag(_ request: SiteRequest) -> SiteAnswer {
    guard let forum = request.number("forumid").flatMap({ state.forum($0) }) else {
      return SiteAnswer(response: .json("{\"error\":\"unknown forum\"}", status: 404))
    }
    return SiteAnswer(response: .json(FlagDocument(context: context, forum: forum).json))
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

  private func page(_ html: String) -> SiteAnswer { .page(html) }

  private func error(_ title: String, _ message: String, status: Int = 200) -> SiteAnswer {
    .error(title, message, in: context, status: status)
  }
}
