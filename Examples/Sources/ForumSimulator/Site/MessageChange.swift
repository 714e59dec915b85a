/// A change to the private messages of an account.
enum MessageChange: Sendable, Hashable {
  /// A message as typed by its sender.
  struct Draft: Sendable, Hashable {
    let senderID: Int
    let recipientID: Int
    let title: String
    let iconID: Int
    let text: String
  }

  /// Sends a message: the recipient receives a copy, and the sender keeps another one if requested.
  case send(Draft, keepsCopy: Bool)
  case see(Int)
  case markRepliedTo(Int)
  case markForwarded(Int)
  case delete(Int)
  case move(Int, folder: Int)
  /// Replaces the account's own folders; messages in removed folders move to the inbox.
  case setFolders(user: Int, [SiteFolder])
}

extension SiteState {
  mutating func apply(_ change: MessageChange) {
    switch change {
    case .send(let draft, let keepsCopy): send(draft, keepsCopy: keepsCopy)
    case .see(let id): update(id) { $0.isSeen = true }
    case .markRepliedTo(let id): update(id) { $0.isRepliedTo = true }
    case .markForwarded(let id): update(id) { $0.isForwarded = true }
    case .delete(let id): messages.removeAll { $0.id == id }
    case .move(let id, let folder): update(id) { $0.folderID = folder }
    case .setFolders(let user, let folders):
      readers[user, default: Reader()].folders = folders
      let known = Set(folders.map(\.id) + [SiteMessage.inbox, SiteMessage.sentItems])
      for position in messages.indices
      where messages[position].ownerID == user && !known.contains(messages[position].folderID) {
        messages[position].folderID = SiteMessage.inbox
      }
    }
  }

  private mutating func send(_ draft: MessageChange.Draft, keepsCopy: Bool) {
    add(draft, owner: draft.recipientID, folder: SiteMessage.inbox, isSeen: false)
    if keepsCopy {
      add(draft, owner: draft.senderID, folder: SiteMessage.sentItems, isSeen: true)
    }
  }

  private mutating func add(
    _ draft: MessageChange.Draft, owner: Int, folder: Int, isSeen: Bool
  ) {
    nextMessageID += 1
    messages.append(
      SiteMessage(
        id: nextMessageID, ownerID: owner, senderID: draft.senderID,
        recipientID: draft.recipientID, title: draft.title, iconID: draft.iconID, text: draft.text,
        date: clock, folderID: folder, isSeen: isSeen))
  }

  private mutating func update(_ id: Int, _ body: (inout SiteMessage) -> Void) {
    guard let position = messages.firstIndex(where: { $0.id == id }) else { return }
    body(&messages[position])
  }

  /// Returns the messages of a folder, newest first.
  func messages(of userID: Int, inFolder folder: Int) -> [SiteMessage] {
    messages.filter { $0.ownerID == userID && $0.folderID == folder }
      .sorted { ($0.date, $0.id) > ($1.date, $1.id) }
  }

  /// Returns the folders of an account, beginning with the two built-in folders.
  func folders(of userID: Int) -> [SiteFolder] {
    [
      SiteFolder(id: SiteMessage.inbox, name: "Inbox"),
      SiteFolder(id: SiteMessage.sentItems, name: "Sent Items"),
    ] + (readers[userID]?.folders ?? [])
  }
}
