import AwfulCore
import CoreData
import Foundation
import WebPages
import StoreSharing

/// The pages of private messages: folders, single messages, and the forms for writing and organizing messages.
struct MessagePages: Sendable {
  let parts: PageParts
  let store: StoreFeed
  /// The requests to the site; nil if the program does not connect to it.
  let desk: MessageDesk?
  let drafts: MessageDrafts

  /// Answers a request for one of these pages. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    guard request.path.first == "messages" else { return nil }
    let path = Array(request.path.dropFirst())
    switch (request.method, path.count, path.first, path.last) {
    case (.get, 0, _, _): return try await folder(PrivateMessageFolder.inboxID, request)
    case (.get, 2, "folder", let id?): return try await folder(id, request)
    case (.get, 1, "folders", _): return try await editFolders()
    case (.post, 1, "folders", _): return try await setFolders(request.form)
    case (.get, 1, "new", _): return try await compose(request)
    case (.post, 1, "new", _): return try await handle(request)
    case (.get, 1, let id?, _): return try await message(id, request)
    case (.post, 2, let id?, "delete"): return try await delete(id)
    case (.post, 2, let id?, "move"): return try await move(id, request.form["folder"] ?? "")
    default: return nil
    }
  }

  // MARK: Folders

  private func folder(_ id: String, _ request: WebRequest) async throws -> WebAnswer {
    let page = request.pageNumber
    let known = try await parts.feed.feed.messageFolders.load()
    let folder = known.first { $0.folderID == id }
    guard folder != nil || id == PrivateMessageFolder.inboxID else {
      return PageParts.missing("folder")
    }
    let folders = try await parts.feed.messageFolders(shown: id)
    let messages = try await parts.feed.messages(inFolder: id, page: page)
    let path = MessageRows.path(ofFolder: id)
    let count = ForumThread.pageCount(forPosts: folder?.messageCount ?? 0)
    return try await parts.live(
      folder?.name ?? "Inbox", path: page == 1 ? path : "\(path)?page=\(page)", [folders, messages]
    ) {
      element(.nav, .label("Folders")) {
        element(.ul, .id(folders.list), .class("folders")) { folders.rows }
      }
      element(.div, .class("actions")) {
        element(.a, .href("/messages/new")) { "New message" }
        element(.a, .href("/messages/folders")) { "Edit folders" }
      }
      messages.markup(
        empty: folder == nil
          ? "No messages are stored yet. The first sync after you log in fetches them."
          : "There are no messages in this folder.")
      PageLinks.markup(path: path, page: page, count: max(count, page))
    }
  }

  private func editFolders(
    entered: [String: String] = [:], problem: String? = nil
  ) async throws -> WebAnswer {
    guard let desk else { return foldersPage([], entered, PageParts.offline) }
    do {
      return foldersPage(try await desk.folderBoxes(), entered, problem)
    } catch let error as SiteRequestError {
      return foldersPage([], entered, problem ?? error.message)
    }
  }

  private func foldersPage(
    _ boxes: [MessageDesk.FolderBox], _ entered: [String: String], _ problem: String?
  ) -> WebAnswer {
    let markup = parts.plain("Edit folders") {
      Markup.up("/messages", "All messages")
      Markup.notice(problem)
      if !boxes.isEmpty {
        element(.p, .class("muted")) {
          "To remove a folder, clear its name. Its messages move to the inbox."
        }
        element(
          .form, .class("writing"), Attribute("method", "post"),
          Attribute("action", "/messages/folders")
        ) {
          for (place, box) in boxes.enumerated() {
            element(.label, Attribute("for", "folder\(place)")) {
              box.folder.isEmpty ? "New folder" : "Folder \(box.folder)"
            }
            element(
              .input, .id("folder\(place)"), Attribute("type", "text"), Attribute("name", box.name),
              Attribute("value", entered[box.name] ?? box.folder))
          }
          element(.div, .class("buttons")) { element(.button) { "Save" } }
        }
      }
    }
    return .page(markup, status: problem == nil ? 200 : 502)
  }

  private func setFolders(_ names: [String: String]) async throws -> WebAnswer {
    guard let desk else { return try await editFolders() }
    do {
      try await desk.setFolders(names)
      return .redirect("/messages")
    } catch let error as SiteRequestError {
      return try await editFolders(entered: names, problem: error.message)
    }
  }

  // MARK: One message

  /// Answers with the page of a message. Fetches the message first if its text is not stored.
  private func message(
    _ id: String, _ request: WebRequest, problem: String? = nil
  ) async throws -> WebAnswer {
    var problem = problem
    if try await stored(id)?.bodyHTML == nil, problem == nil {
      do {
        if let desk { try await desk.fetch(id) } else { problem = PageParts.offline }
      } catch let error as SiteRequestError {
        problem = error.message
      }
    }
    guard let message = try await stored(id) else {
      guard let problem else { return PageParts.missing("message") }
      return .page(PageParts.problem(title: "No such message", reason: problem), status: 404)
    }
    let showsImages = request.cookies[SettingsPage.imagesCookie] == "1"
    let shown = try await parts.feed.message(id, showsImages: showsImages)
    let folders = try await parts.feed.feed.messageFolders.load()
    let path = "/messages/\(PagePath.part(id))"
    let folder = folders.first { $0.folderID == message.folderID }
    return try await parts.live(
      MessageRows.title(of: message), path: path, [shown], showsForeignImages: showsImages
    ) {
      Markup.up(
        MessageRows.path(ofFolder: folder?.folderID ?? PrivateMessageFolder.inboxID),
        folder?.name ?? "All messages")
      Markup.notice(problem)
      element(.ul, .id(shown.list), .class("plain")) { shown.rows }
      if problem != nil, message.bodyHTML == nil, desk != nil {
        element(.p) { element(.a, .href(path)) { "Try again" } }
      }
      actions(message, folders, path)
      SettingsPage.imagesForm(showsImages, back: path)
    }
  }

  @MarkupBuilder
  private func actions(
    _ message: MessageRow, _ folders: [MessageFolderRow], _ path: String
  ) -> Markup {
    let id = PagePath.part(message.messageID)
    element(.div, .class("actions")) {
      element(.a, .href("/messages/new?reply=\(id)")) { "Reply" }
      element(.a, .href("/messages/new?forward=\(id)")) { "Forward" }
    }
    let others = folders.filter { folder in
      folder.folderID != message.folderID && (folder.kind != .sent || message.isSent)
    }
    let targets = others.filter { $0.kind == .custom } + others.filter { $0.kind != .custom }
    if desk != nil, !targets.isEmpty {
      element(
        .form, .class("actions"), Attribute("method", "post"), Attribute("action", "\(path)/move")
      ) {
        element(.label, Attribute("for", "folder")) { "Move to" }
        element(.select, .id("folder"), Attribute("name", "folder")) {
          for folder in targets {
            element(.option, Attribute("value", folder.folderID)) { folder.name }
          }
        }
        element(.button, .class("quiet")) { "Move" }
      }
    }
    if desk != nil {
      // The site cannot restore a deleted message.
      element(.details) {
        element(.summary) { "Delete" }
        element(.form, Attribute("method", "post"), Attribute("action", "\(path)/delete")) {
          element(.p) { "The site deletes the message permanently." }
          element(.button) { "Delete permanently" }
        }
      }
    }
  }

  private func stored(_ id: String) async throws -> MessageRow? {
    try await parts.feed.feed.message(id).load().first
  }

  private func delete(_ id: String) async throws -> WebAnswer {
    let folderID = try await stored(id)?.folderID
    return try await changing(id) { desk in
      try await desk.delete(id)
      return MessageRows.path(ofFolder: folderID ?? PrivateMessageFolder.inboxID)
    }
  }

  private func move(_ id: String, _ target: String) async throws -> WebAnswer {
    try await changing(id) { desk in
      try await desk.move(id, toFolder: target)
      return MessageRows.path(ofFolder: target)
    }
  }

  /// Performs an action on a message and redirects to the path that it returns. Shows a refusal together with the message.
  private func changing(
    _ id: String, _ work: (MessageDesk) async throws -> String
  ) async throws -> WebAnswer {
    let request = WebRequest(.get, ["messages", id])
    guard let desk else { return try await message(id, request, problem: PageParts.offline) }
    do {
      return .redirect(try await work(desk))
    } catch let error as SiteRequestError {
      return try await message(id, request, problem: error.message)
    }
  }

  // MARK: Writing

  private func compose(_ request: WebRequest) async throws -> WebAnswer {
    let purpose = MessageForm.purpose(request)
    let recipient = request.query["to"] ?? ""
    if let draft = try await drafts.draft(for: purpose) {
      return composePage(purpose, draft.text, draft, notice: Self.notice(draft, recipient))
    }
    var text = MessageDesk.Text(recipient: recipient, subject: "", body: "")
    guard let desk else { return composePage(purpose, text, nil, notice: PageParts.offline) }
    if purpose == .new { return composePage(purpose, text, nil) }
    do {
      text = try await desk.beginning(of: purpose)
      return composePage(purpose, text, nil)
    } catch {
      return composePage(purpose, text, nil, problem: PageParts.sentence(error))
    }
  }

  /// Returns a notice if an existing draft is addressed to another member.
  private static func notice(_ draft: MessageDrafts.Row, _ recipient: String) -> String? {
    guard !recipient.isEmpty, draft.text.recipient != recipient else { return nil }
    return
      "You have not finished this message yet. To write to \(recipient), send or discard it first."
  }

  private func handle(_ request: WebRequest) async throws -> WebAnswer {
    let purpose = MessageForm.purpose(request)
    let text = MessageForm.text(request.form)
    if request.form["do"] == "discard" {
      try await drafts.discard(purpose)
      return .redirect(MessageForm.backPath(purpose))
    }
    let revision = Int(request.form["revision"] ?? "") ?? 0
    let isGone = try await drafts.draft(for: purpose) == nil && revision > 0
    let outcome = try await drafts.write(text, for: purpose, basedOn: revision)
    switch (request.form["do"], outcome) {
    case ("autosave", _): return try Self.autosaved(outcome).answer()
    case (_, .changedElsewhere(let other)):
      return composePage(purpose, text, other, notice: Self.changedElsewhere, other: other?.text)
    case ("save", _): return .redirect(MessageForm.path(purpose))
    case (_, .saved(let draft)) where isGone:
      // The reader may have submitted the form twice.
      return composePage(purpose, text, draft, notice: Self.alreadySent)
    case (_, .saved(let draft)): return try await send(text, purpose, draft)
    case (_, .empty): return try await send(text, purpose, nil)
    }
  }

  private static let changedElsewhere = "The draft was changed in another window."
  private static let alreadySent =
    "The message has already been sent or discarded. Its text is stored as a new draft, which has not been sent."

  private static func autosaved(_ outcome: MessageDrafts.Outcome) -> AutosaveAnswer {
    switch outcome {
    case .saved(let row):
      AutosaveAnswer(
        draft: "1", revision: row.revision, saved: AutosaveAnswer.saved(at: row.changedAt))
    case .empty: AutosaveAnswer()
    case .changedElsewhere: AutosaveAnswer(problem: changedElsewhere)
    }
  }

  /// Sends a message. The draft stays until the site has the message, and after that if another window has changed it.
  private func send(
    _ text: MessageDesk.Text, _ purpose: MessageDesk.Purpose, _ draft: MessageDrafts.Row?
  ) async throws -> WebAnswer {
    guard let desk else { return composePage(purpose, text, draft, problem: PageParts.offline) }
    do {
      if let draft {
        try await desk.send(draft, from: drafts)
      } else {
        try await desk.send(text, purpose)
      }
    } catch let error as SiteRequestError where error.code == .gone {
      return composePage(purpose, text, nil, notice: error.message)
    } catch {
      return composePage(purpose, text, draft, problem: PageParts.sentence(error))
    }
    return .redirect(MessageRows.path(ofFolder: PrivateMessageFolder.sentItemsID))
  }

  /// Returns the writing page. The form keeps the typed text.
  private func composePage(
    _ purpose: MessageDesk.Purpose, _ text: MessageDesk.Text, _ draft: MessageDrafts.Row?,
    problem: String? = nil, notice: String? = nil, other: MessageDesk.Text? = nil
  ) -> WebAnswer {
    let markup = parts.plain(MessageForm.title(purpose)) {
      Markup.up(MessageForm.backPath(purpose), "Back")
      Markup.notice(problem ?? notice)
      if let other { otherText(other) }
      MessageForm(purpose: purpose, text: text, draft: draft, canSend: desk != nil).markup
    }
    return .page(markup, status: problem == nil ? 200 : 502)
  }

  private func otherText(_ other: MessageDesk.Text) -> Markup {
    element(.section, .class("conflict"), .label("The text from the other window")) {
      element(.h2) { "Saved in the other window" }
      element(.p) { "To \(other.recipient): \(other.subject)" }
      element(.pre, .class("typed")) { other.body }
      element(.p) { "Your text is below. If you save it, it replaces the other text." }
    }
  }
}
