import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports the message list of a private message folder.
///
/// A list contains only the other party's name; the message itself identifies the user. Importing one page deletes no messages, because a
/// message that is missing from the page may be on another one. Confined to its context.
struct MessageListImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports a message list.
  func importList(_ list: MessageListPage) throws {
    let folders = try importFolders(list)
    let folder = list.selectedFolder.flatMap { folders[$0.id] }
    let rows = list.messages.uniqued(by: \.id)
    let messages = try UpsertBatch<PrivateMessage>(
      in: context, key: "messageID", values: rows.map(\.id))
    let tags = try ThreadTagBatch(in: context, icons: rows.compactMap(\.icon), imageNames: [])
    for row in rows {
      let message = messages[row.id]
      importRow(row, message)
      message.update(\.threadTag, to: row.icon.map { tags[$0] })
      guard let folder else { continue }
      message.update(\.folder, to: folder)
      switch PrivateMessageFolder.Kind(folderID: folder.folderID ?? "") {
      case .inbox: message.update(\.isSent, to: false)
      case .sent: message.update(\.isSent, to: true)
      case .custom: break  // It may have messages of both kinds.
      }
    }
  }

  private func importRow(_ row: MessageListPage.Message, _ message: PrivateMessage) {
    message.updateUnlessEmpty(\.subject, to: row.subject)
    message.updateUnlessEmpty(\.rawFromUsername, to: row.otherPartyName)
    importStatus(row.status, message)
    message.importDate(row.sent)
  }

  /// Stores the status of a row. A row shows one image for all states: unread, else replied to, else forwarded. Without the image, the
  /// message keeps its status.
  private func importStatus(_ status: MessageStatus, _ message: PrivateMessage) {
    guard status.isShown else { return }
    message.update(\.seen, to: status.isSeen)
    guard status.isSeen else { return }
    if !status.isForwarded { message.update(\.replied, to: status.isRepliedTo) }
    if !status.isRepliedTo { message.update(\.forwarded, to: status.isForwarded) }
  }

  /// Finds or creates the folders; every list names all of them. Messages of a deleted folder move to the inbox, as on the site.
  private func importFolders(_ list: MessageListPage) throws -> [String: PrivateMessageFolder] {
    let listed = list.folders.uniqued(by: \.id)
    let stored = try context.fetch(
      PrivateMessageFolder.fetchRequest() as NSFetchRequest<PrivateMessageFolder>)
    // Two programs may have created the same folder at the same time.
    var folders = Dictionary(
      stored.map { ($0.folderID ?? "", $0) }, uniquingKeysWith: { one, _ in one })
    for row in listed {
      let folder = folders[row.id] ?? PrivateMessageFolder(context: context)
      folder.update(\.folderID, to: row.id)
      folder.updateUnlessEmpty(\.name, to: row.name)
      folder.update(\.folderType, to: PrivateMessageFolder.Kind(folderID: row.id).rawValue)
      folders[row.id] = folder
    }
    guard let inbox = folders[PrivateMessageFolder.inboxID], !listed.isEmpty else { return folders }
    for folder in stored {
      let isListed = listed.contains { $0.id == folder.folderID }
      let kept = isListed ? folders[folder.folderID ?? ""] ?? inbox : inbox
      if kept === folder { continue }
      for message in folder.messages { message.folder = kept }
      context.delete(folder)
    }
    return folders
  }
}
