/// Responds to requests about private messages.
struct MessageRouter {
  static let longestTitle = 85

  let context: PageContext
  let viewer: SiteUser

  private var state: SiteState { context.state }

  func answer(to request: SiteRequest) -> SiteAnswer {
    guard viewer.role != .normal else {
      return .page(ErrorPage(context: context).platinumRequired)
    }
    switch (request.method, request.parameter("action")) {
    case (_, "show"): return show(request)
    case (_, "newmessage"): return compose(request)
    case (_, "editfolders"):
      return .page(MessageForm(context: context).folders(state.readers[viewer.id]?.folders ?? []))
    case ("POST", "dosend"): return send(request)
    case ("POST", "dodelete"): return delete(request)
    case ("POST", "dostuff"): return moveOrDelete(request)
    case ("POST", "doeditfolders"): return editFolders(request)
    case (_, nil), (_, ""): return folder(request)
    default: return problem("Unknown action", "Private messages cannot do that.")
    }
  }

  private func folder(_ request: SiteRequest) -> SiteAnswer {
    let id = request.parameter("folderid").map { $0.isEmpty ? SiteMessage.inbox : Int($0) }
    guard
      let folder = state.folders(of: viewer.id).first(where: { $0.id == id ?? SiteMessage.inbox })
    else { return problem("Unknown folder", "You have no such folder.") }
    let pages = MessagePages(context: context, owner: viewer)
    return .page(pages.folder(folder, showsAll: request.parameter("showall") != nil))
  }

  private func show(_ request: SiteRequest) -> SiteAnswer {
    guard var message = message(request.number("privatemessageid")) else { return unknownMessage }
    let changes: [SiteChange] = message.isSeen ? [] : [.message(.see(message.id))]
    message.isSeen = true
    return .page(
      MessagePages(context: context, owner: viewer).message(message), changes: changes)
  }

  private func compose(_ request: SiteRequest) -> SiteAnswer {
    var fields = MessageForm.Fields()
    if let user = request.number("userid").flatMap({ state.user($0) }) {
      fields.recipient = user.name
    }
    if let id = request.number("privatemessageid") {
      guard let earlier = message(id) else { return unknownMessage }
      fields.earlierID = id
      fields.isForward = request.parameter("forward") == "true"
      fields.recipient = fields.isForward ? "" : state.userName(earlier.senderID)
      fields.title = titled(earlier.title, with: fields.isForward ? "Fw: " : "Re: ")
      let author = state.userName(earlier.senderID)
      fields.text = "[quote=\"\(author)\"]\n\(earlier.text)\n[/quote]\n\n"
    }
    return .page(MessageForm(context: context).compose(fields))
  }

  private func titled(_ title: String, with prefix: String) -> String {
    title.hasPrefix(prefix) ? title : prefix + title
  }

  private func send(_ request: SiteRequest) -> SiteAnswer {
    guard viewer.standing == .good else { return .page(ErrorPage(context: context).banned) }
    let title = PostDraft.line(request.form["title"])
    let text = PostDraft.normalized(request.form["message"])
    let icon = request.form["iconid"].map { Int($0) ?? -1 } ?? 0
    guard let recipient = state.user(named: PostDraft.line(request.form["touser"])) else {
      return problem("Unknown recipient", "There is no member of this name.")
    }
    guard recipient.acceptsMessages else {
      return problem("Not accepted", "This member has turned off private messages.")
    }
    guard !title.isEmpty, title.count <= Self.longestTitle,
      text.contains(where: { !$0.isWhitespace }),
      text.unicodeScalars.count <= 2 * PostDraft.longestMessage
    else { return problem("Incomplete message", "A message needs a subject and a text.") }
    guard icon == 0 || SiteThread.Tag.all.contains(where: { $0.id == icon }) else {
      return problem("Unknown icon", "There is no such icon.")
    }
    var changes: [SiteChange] = [
      .message(
        .send(
          MessageChange.Draft(
            senderID: viewer.id, recipientID: recipient.id, title: title, iconID: icon, text: text),
          keepsCopy: request.form["savecopy"] == "yes"))
    ]
    if let earlier = message(request.number("prevmessageid")) {
      let isForward = request.form["forward"] == "true"
      changes.append(.message(isForward ? .markForwarded(earlier.id) : .markRepliedTo(earlier.id)))
    }
    return notice("Your message has been sent.", to: "private.php", changes)
  }

  private func delete(_ request: SiteRequest) -> SiteAnswer {
    guard let message = message(request.number("privatemessageid")) else { return unknownMessage }
    guard request.form["delete"] == "yes" else {
      return problem("Not deleted", "Check the box to delete the message.")
    }
    return notice(
      "The message has been deleted.", to: "private.php?folderid=\(message.folderID)",
      [.message(.delete(message.id))])
  }

  /// Moves or deletes the checked messages, and ignores messages of other accounts.
  private func moveOrDelete(_ request: SiteRequest) -> SiteAnswer {
    let chosen = request.form.filter { $0.value == "yes" && $0.key.hasPrefix("privatemessage[") }
      .keys.compactMap { message(Int($0.dropFirst(15).dropLast())) }.map(\.id).sorted()
    guard !chosen.isEmpty else { return problem("No messages", "You chose no messages.") }
    if request.form["delete"] != nil {
      return notice(
        "The messages have been deleted.", to: "private.php",
        chosen.map { .message(.delete($0)) })
    }
    let wanted = request.form["folderid"].flatMap { Int($0) }
    guard request.form["move"] != nil,
      let folder = state.folders(of: viewer.id).first(where: { $0.id == wanted })
    else { return problem("Unknown folder", "You have no such folder.") }
    return notice(
      "The messages have been moved.", to: "private.php?folderid=\(folder.id)",
      chosen.map { .message(.move($0, folder: folder.id)) })
  }

  /// Replaces the folders; an empty field removes its folder.
  private func editFolders(_ request: SiteRequest) -> SiteAnswer {
    let names = request.form.filter { $0.key.hasPrefix("folderlist[") }
    let folders = names.compactMap { key, value -> SiteFolder? in
      let name = PostDraft.line(value)
      guard let id = Int(key.dropFirst(11).dropLast()), (1...1_000).contains(id), !name.isEmpty
      else { return nil }
      return SiteFolder(id: id, name: name)
    }
    guard !names.isEmpty else { return problem("No folders", "The form holds no folders.") }
    return notice(
      "Your folders have been changed.", to: "private.php",
      [.message(.setFolders(user: viewer.id, folders.sorted { $0.id < $1.id }))])
  }

  /// Returns one of the reader's own messages; `nil` for messages of other accounts.
  private func message(_ id: Int?) -> SiteMessage? {
    state.messages.first { $0.id == id && $0.ownerID == viewer.id }
  }

  private var unknownMessage: SiteAnswer {
    problem("Unknown message", "You have no message of this number.")
  }

  private func notice(
    _ sentence: String, to address: String, _ changes: [SiteChange]
  ) -> SiteAnswer {
    .page(RedirectNotice(context: context).html(sentence, to: address), changes: changes)
  }

  private func problem(_ title: String, _ message: String) -> SiteAnswer {
    .error(title, message, in: context)
  }
}
