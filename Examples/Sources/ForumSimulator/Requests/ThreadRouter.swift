/// Responds to requests about threads: pages of posts, read markers, bookmarks and votes.
struct ThreadRouter {
  let context: PageContext

  private var state: SiteState { context.state }
  private var errors: ErrorPage { ErrorPage(context: context) }

  func bookmarks(_ request: SiteRequest) -> SiteAnswer {
    guard let viewer = context.viewer else { return .page(errors.mustRegister) }
    let threadID = request.number("threadid") ?? 0
    switch request.parameter("action") {
    case "add":
      let colour = min(max(request.number("category_id") ?? 0, 0), 5)
      return .done(.bookmark(user: viewer.id, thread: threadID, colour: colour))
    case "remove":
      return .done(.removeBookmark(user: viewer.id, thread: threadID))
    default:
      return .page(ThreadListPage(context: context, request: request).bookmarksHTML(of: viewer))
    }
  }

  func rate(_ request: SiteRequest) -> SiteAnswer {
    guard let viewer = context.viewer else { return .page(errors.mustRegister) }
    let thread = request.number("threadid") ?? 0
    let answer = SiteAnswer.page(
      errors.standard(title: "Thank you", message: "Your vote has been counted."))
    return SiteAnswer(
      response: answer.response,
      changes: [.vote(user: viewer.id, thread: thread, value: request.number("vote") ?? 0)])
  }

  func posts(_ request: SiteRequest) -> SiteAnswer {
    if request.query["goto"] == "post" { return post(request) }
    if request.query["action"] == "showpost" { return onePost(request) }
    guard let thread = request.number("threadid").flatMap({ state.thread($0) }) else {
      return problem("Unknown thread", "There is no thread of this number.")
    }
    if thread.isArchived, !mayReadArchives { return .page(errors.archivesRequired) }
    if let action = request.parameter("action"), let viewer = context.viewer {
      switch action {
      case "setseen":
        let index = request.number("index") ?? 0
        return .done(.setMarker(user: viewer.id, thread: thread.id, at: index))
      case "resetseen": return .done(.forgetMarker(user: viewer.id, thread: thread.id))
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
    var answer = SiteAnswer.page(threadPage.html)
    if let viewer = context.viewer, threadPage.onlyAuthorID == nil, request.query["noseen"] != "1" {
      let index = threadPage.slice.positions.upperBound
      answer.changes = [.see(user: viewer.id, thread: thread.id, upTo: index)]
    }
    return answer
  }

  private func onePost(_ request: SiteRequest) -> SiteAnswer {
    guard let (thread, position) = request.number("postid").flatMap({ state.location(ofPost: $0) })
    else { return problem("Unknown post", "There is no post of this number.") }
    return .page(SinglePostPage(context: context, thread: thread, position: position).html)
  }

  private func post(_ request: SiteRequest) -> SiteAnswer {
    guard let (thread, position) = request.number("postid").flatMap({ state.location(ofPost: $0) })
    else { return problem("Unknown post", "There is no post of this number.") }
    let fragment = "post\(thread.posts[position].id)"
    return redirect(to: position + 1, in: thread, request: request, fragment: fragment)
  }

  private func firstUnseen(of thread: SiteThread) -> Int {
    min((context.seenCount(of: thread) ?? 0) + 1, thread.posts.count)
  }

  /// Returns a redirect whose page number follows the requested page size, but whose address omits that size.
  private func redirect(
    to index: Int, in thread: SiteThread, request: SiteRequest, fragment: String? = nil
  ) -> SiteAnswer {
    let size = PageSlice.pageSize(of: request, viewer: context.viewer)
    let position = max(index - 1, 0)
    var location = "/showthread.php?threadid=\(thread.id)&userid=0"
    location += "&pagenumber=\(position / size + 1)"
    if request.query["noseen"] == "1" { location += "&noseen=1" }
    return SiteAnswer(
      response: .redirect(to: "\(location)#\(fragment ?? "pti\(position % size + 1)")"))
  }

  private var mayReadArchives: Bool {
    guard let viewer = context.viewer else { return false }
    return viewer.role == .archives || viewer.isStaff
  }

  private func problem(_ title: String, _ message: String) -> SiteAnswer {
    .error(title, message, in: context)
  }
}
