import AwfulCore
import CoreData
import ForumHTML
import Foundation
import WebPages
import StoreSharing

/// The pages for writing: replies, new threads, changes to posts, and the list of drafts.
///
/// Every page works without scripts. With scripts, the text is saved at every pause in typing.
struct WritingPages: Sendable {
  let parts: PageParts
  let store: StoreFeed
  let desk: DraftDesk
  let messages: MessageDrafts
  /// Sends drafts; nil if the program does not connect to the site.
  let outbox: Outbox?
  /// Cleans the site's markup for previews.
  let cleaner: HTMLCleaner

  /// Answers a request for one of these pages. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case (.get, "drafts", 1): return try await drafts()
    case (.get, "drafts", 2): return try await draft(path[1])
    case (.post, "drafts", 2): return try await change(path[1], request)
    case (.get, "write", 3):
      return try await Self.target(request).asyncMap { try await write($0, request) }
    case (.post, "write", 3):
      return try await Self.target(request).asyncMap { try await handle($0, request) }
    default: return nil
    }
  }

  private static func target(_ request: WebRequest) -> DraftTarget? {
    let id = request.path[2]
    switch DraftTarget.Kind(rawValue: request.path[1]) {
    case .reply: return .reply(toThread: id)
    case .thread: return .thread(inForum: id)
    case .edit: return request.query["thread"].map { .edit(ofPost: id, inThread: $0) }
    case nil: return nil
    }
  }

  // MARK: The list

  private func drafts() async throws -> WebAnswer {
    let drafts = try await parts.feed.drafts()
    let messages = try await messages.drafts()
    return try await parts.live("Drafts", path: "/drafts", [drafts]) {
      element(.p, .class("muted")) {
        "Drafts are kept here until they have reached the site, even if this program exits."
      }
      drafts.markup(
        empty: messages.isEmpty ? "There are no drafts." : "There are no drafts of posts.")
      if !messages.isEmpty {
        element(.h2) { "Messages" }
        element(.ul, .id("message-drafts"), .class("rows")) {
          for message in messages { DraftRows.message(message) }
        }
      }
    }
  }

  /// Redirects to the form of a draft that can be written. Shows any other draft with the available actions.
  private func draft(_ id: String) async throws -> WebAnswer {
    guard let draft = try await known(id) else {
      return .page(
        PageParts.problem(
          title: "No such draft", reason: "The draft has already been sent or discarded."),
        status: 404
      )
    }
    switch draft.state {
    case .writing, .refused, .conflict: return .redirect(WritingForm.path(draft.target))
    case .waiting, .sending, .unconfirmed: break
    }
    return .page(
      parts.plain(DraftRows.title(of: draft)) {
        element(.p) {
          "\(DraftRows.state(draft.state).capitalizedFirst). \(draft.problem ?? "")"
        }
        element(.pre, .class("typed")) { draft.text.body }
        Markup.form(to: "/drafts/\(PagePath.part(id))", back: "/drafts") {
          if outbox != nil { WritingForm.submit("send", "Try now") }
          if draft.state == .waiting {
            WritingForm.submit("write", "Continue writing", isQuiet: true)
          }
          WritingForm.submit("discard", "Discard", isQuiet: true)
        }
      })
  }

  private func known(_ id: String) async throws -> DraftRow? {
    do {
      return try await desk.draft(id)
    } catch let error as WritingError where error.code == .missing {
      return nil
    }
  }

  private func change(_ id: String, _ request: WebRequest) async throws -> WebAnswer {
    guard let draft = try await known(id) else { return .redirect("/drafts") }
    switch request.form["do"] {
    case "discard": try await desk.discard(id)
    case "write":
      try await desk.takeBack(id)
      return .redirect(WritingForm.path(draft.target))
    case "send" where draft.state == .waiting: return try await send(draft)
    default: try await outbox?.sendWaiting()
    }
    return .redirect("/drafts")
  }

  // MARK: Writing

  private func write(_ target: DraftTarget, _ request: WebRequest) async throws -> WebAnswer {
    if let draft = try await desk.draft(for: target) {
      var text = draft.text
      if let post = request.query["quote"] { text.body += try await quote(post, after: text.body) }
      return try await page(WritingForm(target: target, draft: draft, text: text))
    }
    switch target.kind {
    case .reply:
      let quote = try await request.query["quote"].asyncMap { try await self.quote($0, after: "") }
      return try await page(WritingForm(target: target, text: DraftText(body: quote ?? "")))
    case .thread: return try await page(WritingForm(target: target, text: DraftText(body: "")))
    case .edit:
      guard let outbox, let threadID = target.threadID else {
        return .page(
          PageParts.problem(
            title: "No connection to the site",
            reason:
              "The text of the post must be fetched from the site. Run awful serve with --base-url."
          ))
      }
      let body = try await outbox.text(ofPost: target.id, inThread: threadID)
      return try await page(
        WritingForm(target: target, text: DraftText(body: body), original: body))
    }
  }

  /// Returns the quotation of a post: the site's own, or one created from the stored post if the site cannot be reached.
  private func quote(_ post: String, after text: String) async throws -> String {
    let space = text.isEmpty ? "" : "\n\n"
    if let outbox, let quote = try? await outbox.quote(ofPost: post) {
      return "\(space)\(quote)\n"
    }
    let stored = try await store.read { context -> (name: String, html: String)? in
      try context.fetch(Post.request(id: post)).first.map {
        ($0.author?.username ?? "", $0.innerHTML ?? "")
      }
    }
    guard let stored else { return "" }
    let body = try HTMLParser.parse(stored.html).body.text.trimmingWhitespace
    return "\(space)[quote=\"\(stored.name)\" post=\"\(post)\"]\n\(body)\n[/quote]\n"
  }

  private func page(
    _ form: WritingForm, preview: String? = nil, notice: String? = nil, other: DraftText? = nil
  ) async throws -> WebAnswer {
    let heading = try await heading(form.target)
    var form = form
    if form.target.kind == .thread { form.icons = await icons(ofForum: form.target.id) }
    let markup = parts.plain(heading) {
      Markup.up(WritingForm.backPath(form.target), "Back")
      Markup.notice(notice ?? form.draft?.problem)
      if let site = form.draft?.siteBody { conflict(site) }
      if let other { otherText(other) }
      if let preview {
        element(.section, .class("preview post"), .label("Preview")) {
          element(.h2) { "Preview" }
          element(.div, .class("body")) { Markup(trusted: cleaner.clean(preview)) }
        }
      }
      form.markup(canSend: outbox != nil)
    }
    return .page(markup)
  }

  /// Returns the icons for a new thread, or nil without the site; a draft then keeps its icons.
  private func icons(ofForum id: String) async -> IconChoices? {
    // A thread can be written without icons, so the page does not show why they are missing.
    try? await outbox?.icons(ofForum: id)
  }

  private func heading(_ target: DraftTarget) async throws -> String {
    let name = try await store.read { context -> String? in
      switch target.kind {
      case .reply: try context.fetch(ForumThread.request(id: target.id)).first?.title
      case .thread: try context.fetch(Forum.request(id: target.id)).first?.name
      case .edit: nil
      }
    }
    return switch target.kind {
    case .reply: "Reply" + (name.map { " to \($0)" } ?? "")
    case .thread: "New thread" + (name.map { " in \($0)" } ?? "")
    case .edit: "Edit a post"
    }
  }

  /// Shows the text that the post now has on the site, above the reader's own text.
  private func conflict(_ site: String) -> Markup {
    element(.section, .class("conflict"), .label("The text on the site")) {
      element(.h2) { "On the site now" }
      element(.pre, .class("typed")) { site }
      element(.p) {
        "Your text is below. If you save it, it replaces the text on the site, so you may want to merge the two texts first. "
          + "To keep the text on the site, discard yours."
      }
    }
  }

  @MarkupBuilder
  private func otherText(_ other: DraftText) -> Markup {
    element(.section, .class("conflict"), .label("The text from the other window")) {
      element(.h2) { "Saved in the other window" }
      if !other.subject.isEmpty { element(.p) { other.subject } }
      element(.pre, .class("typed")) { other.body }
      element(.p) { "Your text is below. If you save it, it replaces the other text." }
    }
  }

  // MARK: Form submissions

  private func handle(_ target: DraftTarget, _ request: WebRequest) async throws -> WebAnswer {
    let form = request.form
    let action = form["do"] ?? "save"
    let id = form["draft"].flatMap { $0.isEmpty ? nil : $0 }
    do {
      switch (action, id) {
      case ("discard", let id):
        if let id { try await desk.discard(id) }
        return .redirect(WritingForm.backPath(target))
      case ("undo", let id?), ("redo", let id?): return try await step(action, of: id, form)
      default: break
      }
      let row = try await save(target, id, form)
      switch action {
      case "autosave": return try Self.autosaved(row, problem: nil)
      case "send":
        guard let row else {
          return try await page(
            WritingForm(target: target, text: Self.text(form), original: form["original"]),
            notice: Self.noText)
        }
        if let id, row.id != id {
          // The reader may have submitted the form twice.
          return try await page(
            WritingForm(target: target, draft: row, text: row.text), notice: Self.alreadySent)
        }
        return try await send(row, overwriting: form["resolved"] != nil)
      case "preview": return try await preview(target, row, form)
      default: return .redirect(WritingForm.path(target))
      }
    } catch let error as WritingError {
      return try await refused(target, form, error, isQuiet: action == "autosave")
    }
  }

  /// Undoes or redoes a step of a draft.
  ///
  /// Text that was typed since the last save first becomes a separate step, so that the text is not lost.
  private func step(
    _ action: String, of id: String, _ form: [String: String]
  ) async throws -> WebAnswer {
    let (typed, stored) = (Self.text(form), try await desk.draft(id).text)
    if form["body"] != nil, (typed.subject, typed.body) != (stored.subject, stored.body) {
      _ = try await desk.write(id, typed, basedOn: Int(form["revision"] ?? "") ?? 0)
    }
    do {
      let row = try await (action == "undo" ? desk.undo(id) : desk.redo(id))
      return try await page(of: row)
    } catch let error as WritingError where error.code == .nothingToUndo {
      let row = try await desk.draft(id)
      return try await page(
        WritingForm(target: row.target, draft: row, text: row.text), notice: error.message)
    }
  }

  private static let noText = "The draft has no text yet."
  private static let alreadySent =
    "The draft has already been sent or discarded. Its text is stored as a new draft, which has not been sent."

  private func page(of row: DraftRow) async throws -> WebAnswer {
    try await page(WritingForm(target: row.target, draft: row, text: row.text))
  }

  private func save(
    _ target: DraftTarget, _ id: String?, _ form: [String: String]
  ) async throws -> DraftRow? {
    let text = Self.text(form)
    let revision = Int(form["revision"] ?? "") ?? 0
    if let id {
      do {
        return try await desk.write(id, text, basedOn: revision)
      } catch let error as WritingError where error.code == .missing {
        // If the draft no longer exists, the typed text becomes a new draft.
        return try await desk.begin(target, text, original: form["original"])
      }
    }
    // Another window may have begun a draft in the meantime.
    return try await desk.write(text, to: target, basedOn: revision, original: form["original"])
  }

  private static func text(_ form: [String: String]) -> DraftText {
    func icon(_ field: String) -> String? { form[field].flatMap { $0.isEmpty ? nil : $0 } }
    return DraftText(
      subject: form["subject"] ?? "", iconID: icon(WritingForm.iconField),
      secondIconID: icon(WritingForm.secondIconField),
      body: (form["body"] ?? "").replacing("\r\n", with: "\n"))
  }

  private func send(_ draft: DraftRow, overwriting: Bool = false) async throws -> WebAnswer {
    try await delivered(outbox?.send(draft.id, overwriting: overwriting), of: draft)
  }

  private func delivered(_ delivery: Delivery?, of draft: DraftRow) async throws -> WebAnswer {
    switch delivery {
    case nil:
      return try await page(
        WritingForm(target: draft.target, draft: draft, text: draft.text),
        notice: "The draft is saved. To send it, run awful serve with --base-url.")
    case .arrived(let threadID, let postID):
      if let postID { return .redirect("/posts/\(PagePath.part(postID))") }
      guard let threadID else { return .redirect(WritingForm.backPath(draft.target)) }
      let place = draft.target.kind == .thread ? "" : "?page=unread"
      return .redirect("/threads/\(PagePath.part(threadID))\(place)")
    case .waiting, .unconfirmed: return .redirect("/drafts/\(PagePath.part(draft.id))")
    case .conflict, .refused: return .redirect(WritingForm.path(draft.target))
    }
  }

  private func preview(
    _ target: DraftTarget, _ row: DraftRow?, _ sent: [String: String]
  ) async throws -> WebAnswer {
    let form = WritingForm(
      target: target, draft: row, text: Self.text(sent), original: sent["original"])
    guard let outbox, let row else { return try await page(form, notice: Self.noText) }
    do {
      return try await page(form, preview: try await outbox.preview(row))
    } catch {
      return try await page(form, notice: "The preview could not be fetched: \(error)")
    }
  }

  /// Shows the form with the typed text again, whatever the problem with the draft.
  private func refused(
    _ target: DraftTarget, _ form: [String: String], _ error: WritingError, isQuiet: Bool
  ) async throws -> WebAnswer {
    if isQuiet { return try Self.autosaved(nil, problem: error.message) }
    let shown = WritingForm(
      target: target, draft: error.stored, text: Self.text(form), original: form["original"])
    let other = error.code == .changedElsewhere ? error.stored?.text : nil
    return try await page(shown, notice: error.message, other: other)
  }

  private static func autosaved(_ row: DraftRow?, problem: String?) throws -> WebAnswer {
    try AutosaveAnswer(
      draft: row?.id, revision: row?.revision,
      saved: row.map { AutosaveAnswer.saved(at: $0.changedAt) }, problem: problem
    ).answer()
  }
}

extension Optional {
  /// Returns the result of an asynchronous transform of the value, or nil without a value.
  fileprivate func asyncMap<Result>(
    _ transform: (Wrapped) async throws -> Result
  ) async rethrows -> Result? {
    guard let self else { return nil }
    return try await transform(self)
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
