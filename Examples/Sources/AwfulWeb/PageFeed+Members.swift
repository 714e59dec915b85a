import AwfulCore
import WebPages

extension PageFeed {
  /// The folders of private messages.
  func messageFolders(shown: String) async throws -> ShownList {
    try await show(feed.messageFolders, as: "folders", key: "folders/\(shown)") {
      $0.map { MessageRows.folder($0, shown: shown) }
    }
  }

  /// One page of a folder of private messages.
  func messages(inFolder id: String, page: Int) async throws -> ShownList {
    try await show(
      feed.messages(inFolder: id, page: page), as: "messages", key: "messages/\(id)/\(page)"
    ) { $0.map { MessageRows.row($0) } }
  }

  /// One private message.
  func message(_ id: String, showsImages: Bool) async throws -> ShownList {
    let cleaner = cleaner(showsImages: showsImages)
    return try await show(feed.message(id), as: "message", key: "message/\(id)/\(showsImages)") {
      $0.map { MessageRows.message($0, cleaner) }
    }
  }

  /// The number of unread messages in the navigation.
  func unreadMessages() async throws -> ShownList {
    try await show(feed.unreadMessageCount, as: "unread", key: "unread") {
      $0.flatMap { MessageRows.unread($0) }
    }
  }

  /// One member's profile.
  func member(_ id: String, showsImages: Bool) async throws -> ShownList {
    let cleaner = cleaner(showsImages: showsImages)
    return try await show(feed.member(id), as: "member", key: "member/\(id)/\(showsImages)") {
      $0.map { MemberRows.row($0, cleaner) }
    }
  }
}
