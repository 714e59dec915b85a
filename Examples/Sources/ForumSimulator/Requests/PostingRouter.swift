/// Responds to requests that write posts: replies, edits and new threads, each with its form.
///
/// Pure: the new ids on a page come from a copy of the site with the changes applied.
struct PostingRouter {
  let context: PageContext

  private var state: SiteState { context.state }
  private var errors: ErrorPage { ErrorPage(context: context) }

  func answer(to request: SiteRequest) -> SiteAnswer {
    guard let viewer = context.viewer else { return .page(errors.mustRegister) }
    guard viewer.standing == .good else { return .page(errors.banned) }
    switch request.path {
    case "newreply.php": return reply(request, by: viewer)
    case "editpost.php": return edit(request, by: viewer)
    default: return newThread(request, by: viewer)
    }
  }

  private func reply(_ request: SiteRequest, by viewer: SiteUser) -> SiteAnswer {
    let quoted = request.number("postid").flatMap { state.location(ofPost: $0) }
    let named = request.number("threadid").flatMap { state.thread($0) }
    guard let thread = named ?? quoted?.thread else {
      return problem("Unknown thread", "There is no thread of this number.")
    }
    guard !thread.isClosed || viewer.isStaff else { return .page(errors.closed(thread)) }
    var form = PostForm(context: context, purpose: .reply(to: thread))
    switch step(of: request, form: "newreply", sent: "postreply") {
    case .show:
      form.draft.message =
        quoted.map { quotation(of: $0.thread.posts[$0.position], $0.thread) } ?? ""
      return .page(form.html)
    case .refuse(let answer): return answer
    case .check(let draft):
      return .page(form.preview(of: draft))
    case .save(let draft):
      var changes: [SiteChange] = [
        .reply(user: viewer.id, thread: thread.id, text: draft.message)
      ]
      changes += bookmark(thread.id, by: viewer, draft)
      return confirmation(of: changes) { $0.lastPost(inThread: thread.id) }
    }
  }

  private func edit(_ request: SiteRequest, by viewer: SiteUser) -> SiteAnswer {
    guard let (thread, position) = request.number("postid").flatMap({ state.location(ofPost: $0) })
    else { return problem("Unknown post", "There is no post of this number.") }
    let post = thread.posts[position]
    guard post.authorID == viewer.id || viewer.isStaff else {
      return problem("Not your post", "You can change your own posts only.")
    }
    guard !thread.isClosed || viewer.isStaff else { return .page(errors.closed(thread)) }
    var form = PostForm(context: context, purpose: .edit(post, in: thread))
    switch step(of: request, form: "editpost", sent: "updatepost") {
    case .show:
      form.draft.message = state.source(of: post, in: thread)
      return .page(form.html)
    case .refuse(let answer): return answer
    case .check(let draft):
      return .page(form.preview(of: draft))
    case .save(let draft):
      let changes: [SiteChange] = [.edit(post: post.id, text: draft.message)]
      let all = changes + bookmark(thread.id, by: viewer, draft)
      return confirmation(of: all) { _ in (thread, post) }
    }
  }

  private func newThread(_ request: SiteRequest, by viewer: SiteUser) -> SiteAnswer {
    guard let forum = request.number("forumid").flatMap({ state.forum($0) }), !forum.isGroup else {
      return problem("Unknown forum", "There is no forum of this number that holds threads.")
    }
    let form = PostForm(context: context, purpose: .newThread(in: forum))
    switch step(of: request, form: "newthread", sent: "postthread") {
    case .show: return .page(form.html)
    case .refuse(let answer): return answer
    case .check(let draft):
      return .page(form.preview(of: draft))
    case .save(let draft): return begin(draft, in: forum, by: viewer)
    }
  }

  private func begin(
    _ draft: PostDraft, in forum: SiteForum, by viewer: SiteUser
  ) -> SiteAnswer {
    guard !draft.subject.isEmpty, draft.subject.count <= PostDraft.longestSubject else {
      return problem(
        "No subject", "A thread needs a subject of at most \(PostDraft.longestSubject) characters.")
    }
    guard draft.iconID == 0 || SiteThread.Tag.all.contains(where: { $0.id == draft.iconID }) else {
      return problem("Unknown icon", "This forum does not offer that icon.")
    }
    if forum.hasSecondIcons, let second = draft.secondIconID,
      !SiteThread.Tag.second.contains(where: { $0.id == second })
    {
      return problem("Unknown icon", "This forum does not offer that second icon.")
    }
    let change = SiteChange.begin(
      user: viewer.id, forum: forum.id, title: draft.subject, icon: draft.iconID,
      secondIcon: draft.secondIconID, text: draft.message)
    var after = state
    after.apply(change)
    guard let thread = after.threads.last else {
      return problem("Not posted", "The thread could not be begun.")
    }
    let notice = RedirectNotice(context: context)
    return .page(
      notice.newThread(thread.id),
      changes: [change] + bookmark(thread.id, by: viewer, draft))
  }

  /// The next step for a form request.
  private enum Step {
    case show
    case refuse(SiteAnswer)
    case check(PostDraft)
    case save(PostDraft)
  }

  /// Returns the next step, after the checks that all three forms share.
  private func step(of request: SiteRequest, form: String, sent: String) -> Step {
    guard request.method == "POST" else {
      return request.query["action"] == form
        ? .show : .refuse(problem("Unknown action", "This page cannot do that."))
    }
    guard request.form["action"] == sent else {
      return .refuse(problem("Unknown action", "The form does not say what to do."))
    }
    guard request.form["formkey"] == context.formKey else {
      return .refuse(
        problem("Form expired", "The form is not one of yours. Go back and reload it."))
    }
    let draft = PostDraft(request)
    if request.form["preview"] != nil { return .check(draft) }
    guard draft.message.contains(where: { !$0.isWhitespace }) else {
      return .refuse(problem("Empty message", "The message is too short to be posted."))
    }
    guard draft.message.unicodeScalars.count <= PostDraft.longestMessage else {
      return .refuse(
        problem("Long message", "A message has at most \(PostDraft.longestMessage) characters."))
    }
    return .save(draft)
  }

  /// Returns the initial text of a reply that quotes a post, without the quotations in that post.
  private func quotation(of post: SitePost, _ thread: SiteThread) -> String {
    let text = BBCode.withoutQuotations(state.source(of: post, in: thread))
    return BBCode.quotation(of: text, by: state.userName(post.authorID), postID: post.id) + "\n"
  }

  /// Returns the change for the bookmark checkbox; an existing bookmark keeps its color.
  private func bookmark(
    _ threadID: Int, by viewer: SiteUser, _ draft: PostDraft
  ) -> [SiteChange] {
    let isBookmarked = state.readers[viewer.id]?.bookmarks[threadID] != nil
    guard draft.boxes.contains("bookmark"), !isBookmarked else { return [] }
    return [.bookmark(user: viewer.id, thread: threadID, colour: 0)]
  }

  private func confirmation(
    of changes: [SiteChange], place: (SiteState) -> (thread: SiteThread, post: SitePost)?
  ) -> SiteAnswer {
    var after = state
    for change in changes { after.apply(change) }
    guard let (thread, post) = place(after) else {
      return problem("Not posted", "The thread is gone.")
    }
    let notice = RedirectNotice(context: context)
    return .page(notice.posted(post.id, thread: thread.id), changes: changes)
  }

  private func problem(_ title: String, _ message: String) -> SiteAnswer {
    .error(title, message, in: context)
  }
}
