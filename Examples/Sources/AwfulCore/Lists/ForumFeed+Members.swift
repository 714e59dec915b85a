import CoreData
import Foundation
public import StoreSharing

extension ForumFeed {
  /// The folders of private messages: the inbox, the sent items, then the reader's own folders.
  public var messageFolders: FollowedRows<MessageFolderRow> {
    FollowedRows { [store] in
      store.changes(ofEntities: ["PrivateMessage", "PrivateMessageFolder"])
    } load: { [store] in
      try await store.read { try ForumLists.messageFolders(in: $0) }
    }
  }

  /// Returns one page of a folder's messages, latest first.
  ///
  /// - Parameters:
  ///   - folderID: The folder's id.
  ///   - page: The page number, starting at 1.
  public func messages(inFolder folderID: String, page: Int) -> FollowedRows<MessageRow> {
    follow { () -> NSFetchRequest<PrivateMessage> in
      let request = ForumLists.messages(inFolder: folderID)
      request.fetchOffset = (page - 1) * ForumThread.postsPerPage
      request.fetchLimit = ForumThread.postsPerPage
      return request
    } row: { (message: PrivateMessage) in
      MessageRow(message)
    }
  }

  /// Returns one message, or no row if it is not stored.
  ///
  /// - Parameter id: The message's id.
  public func message(_ id: String) -> FollowedRows<MessageRow> {
    follow { () -> NSFetchRequest<PrivateMessage> in
      let request = PrivateMessage.request(id: id)
      request.sortDescriptors = [NSSortDescriptor(key: "messageID", ascending: true)]
      return request
    } row: { (message: PrivateMessage) in
      MessageRow(message)
    }
  }

  /// The number of unread messages in the inbox, as a single row.
  public var unreadMessageCount: FollowedRows<Int> {
    FollowedRows { [store] in
      store.changes(ofEntities: ["PrivateMessage"])
    } load: { [store] in
      try await store.read { context in
        let request = ForumLists.messages(inFolder: PrivateMessageFolder.inboxID)
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
          request.predicate ?? NSPredicate(value: true),
          NSPredicate(format: "seen == NO", argumentArray: []),
        ])
        return [try context.count(for: request)]
      }
    }
  }

  /// Returns one member with the profile, or no row if the member is not stored.
  ///
  /// - Parameter id: The member's id.
  public func member(_ id: String) -> FollowedRows<MemberRow> {
    FollowedRows { [store] in
      store.changes(ofEntities: ["User", "Profile"])
    } load: { [store] in
      try await store.read { context in
        let request = User.request(id: id)
        request.relationshipKeyPathsForPrefetching = ["profile"]
        return try context.fetch(request).map { MemberRow($0) }
      }
    }
  }

  /// Returns the id of the member with a name, or nil if the member is not stored.
  public func memberID(named name: String) async throws -> String? {
    try await store.read { context in
      let request = NSFetchRequest<User>(entityName: "User")
      request.predicate = NSPredicate(format: "username == %@", argumentArray: [name])
      request.sortDescriptors = [NSSortDescriptor(key: "userID", ascending: true)]
      return try context.fetch(request).first?.userID
    }
  }
}
