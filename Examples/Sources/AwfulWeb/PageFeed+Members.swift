import AwfulCore
import WebPages

extension PageFeed {
  /// Returns the folders of private messages.
  func messageFolders(shown: String) async throws -> ShownList {
    try await show(feed.messageFolders, as: "folders", key: "folders/\(shown)") {
      $0.map { MessageRows.folder($0, shown: shown) }
    }
  }

  /// Returns one page of a private message folder.
  func messages(inFolder id: String, page: Int) async throws -> ShownList {
    try await show(
      feed.messages(inFolder: id, page: page), as: "messages", key: "messages/\(id)/\(page)"
    ) { $0.map { MessageRows.row($0) } }
  }

  /// Returns one private message.
  func message(_ id: String, showsImages: Bool) async throws -> ShownList {
    let cleaner = cleaner(showsImages: showsImages)
    return try await show(feed.message(id), as: "message", key: "message/\(id)/\(showsImages)") {
      $0.map { MessageRows.message($0, cleaner) }
    }
  }

  /// Returns the number of unread messages for the navigation.
  func unreadMessages() async throws -> ShownList {
    try await show(feed.unreadMessageCount, as: "unread", key: "unread") {
      $0.flatMap { MessageRows.unread($0) }
    }
  }

  /// Returns one member's profile.
  func member(_ id: String, showsImages: Bool) async throws -> ShownList {
    let cleaner = cleaner(showsImages: showsImages)
    let (pictures, base) = (pictures, base)
    return try await show(feed.member(id), as: "member", key: "member/\(id)/\(showsImages)") {
      $0.map { MemberRows.row($0, pictures: pictures, base: base, cleaner) }
    }
  }
}
