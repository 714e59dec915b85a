import CoreData
import Foundation
import OpenPersistenceKit
import StoreSharing

extension ForumLists {
  /// Returns the folders of private messages: the inbox, the sent items, then the reader's own folders by name.
  ///
  /// - Throws: Any error from the fetch.
  public func messageFolders() throws -> [MessageFolderRow] {
    try store.performBatchOperation { try Self.messageFolders(in: $0) }
  }

  static func messageFolders(in context: NSManagedObjectContext) throws -> [MessageFolderRow] {
    let folders = try QueryBuilder<PrivateMessageFolder>(entityName: "PrivateMessageFolder")
      .orderBy("name").orderBy("folderID").execute(in: context)
    let counts = try GroupedCounts(of: "PrivateMessage", by: "folder", in: context).byObject()
    let unread = try GroupedCounts(
      of: "PrivateMessage", by: "folder",
      where: NSPredicate(format: "seen == NO AND isSent == NO", argumentArray: []), in: context
    ).byObject()
    let rows = folders.map { folder in
      MessageFolderRow(
        folderID: folder.folderID ?? "", name: folder.name ?? "",
        kind: PrivateMessageFolder.Kind(folderID: folder.folderID ?? ""),
        messageCount: counts[folder.objectID] ?? 0, unreadCount: unread[folder.objectID] ?? 0)
    }
    return rows.filter { $0.kind == .inbox } + rows.filter { $0.kind == .sent }
      + rows.filter { $0.kind == .custom }
  }

  /// Returns the messages of a folder, latest first.
  ///
  /// - Parameter folderID: The folder's id.
  /// - Throws: `ForumStoreError` with code `.notFound` if the folder does not exist, or any error from the fetch.
  public func messages(folderID: String) throws -> [MessageRow] {
    try store.performBatchOperation { context in
      let rows = try context.fetch(Self.messages(inFolder: folderID)).map { MessageRow($0) }
      // Before the first sync, the inbox does not exist and counts as empty.
      if rows.isEmpty, folderID != PrivateMessageFolder.inboxID,
        try !Self.messageFolders(in: context).contains(where: { $0.folderID == folderID })
      {
        throw ForumStoreError.missing("folder", folderID)
      }
      return rows
    }
  }

  static func messages(inFolder folderID: String) -> NSFetchRequest<PrivateMessage> {
    let request = NSFetchRequest<PrivateMessage>(entityName: "PrivateMessage")
    request.predicate = NSPredicate(format: "folder.folderID == %@", argumentArray: [folderID])
    request.sortDescriptors = [
      NSSortDescriptor(key: "sentDate", ascending: false),
      NSSortDescriptor(key: "messageID", ascending: false),
    ]
    request.relationshipKeyPathsForPrefetching = ["from", "to"]
    return request
  }
}
