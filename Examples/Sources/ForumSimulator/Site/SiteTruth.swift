/// The true contents of the site for one reader, with which a test compares its own store and screens.
///
/// Ids are text, as on the pages. Dates are seconds since 1970, truncated to the minute because pages show no seconds.
public struct SiteTruth: Codable, Sendable, Hashable {
  /// A group or forum.
  public struct Forum: Codable, Sendable, Hashable {
    public let id: String
    public let title: String
    /// The parent group or forum; `nil` for a group.
    public let parentID: String?
    public let isGroup: Bool
    public let moderatorIDs: [String]
    /// All threads, in the order of the forum's list.
    public let threadIDs: [String]
  }

  /// A thread, with the read marker of the reader.
  public struct Thread: Codable, Sendable, Hashable {
    public let id: String
    public let forumID: String
    public let title: String
    public let authorID: String
    public let author: String
    public let isSticky: Bool
    public let isClosed: Bool
    public let isArchived: Bool
    /// The name of the icon; empty for a thread without an icon.
    public let tag: String
    /// The name of the second icon; empty for a thread without a second icon.
    public let secondTag: String
    public let replies: Int
    public let views: Int
    public let votes: Int
    /// The average vote in hundredths; `nil` if there are no votes.
    public let ratingInHundredths: Int?
    public let lastPoster: String
    public let lastPostDate: Int
    /// The number of seen posts; `nil` if the reader has never opened the thread.
    public let seen: Int?
    /// The number of unseen posts; `nil` if the reader has never opened the thread.
    public let unread: Int?
    /// The color of the bookmark, 0 to 5; `nil` without a bookmark.
    public let bookmark: Int?
    public let posts: [Post]
  }

  /// A post.
  public struct Post: Codable, Sendable, Hashable {
    public let id: String
    /// The position in the thread, from one.
    public let index: Int
    public let authorID: String
    public let author: String
    public let date: Int
    /// The first paragraph of the post itself, without the quotation at the top.
    public let text: String
    /// The whole text as typed by its author, with `\n` as line breaks; `nil` for a generated post.
    public let typed: String?
  }

  /// An account.
  public struct User: Codable, Sendable, Hashable {
    public let id: String
    public let name: String
    /// One of `normal`, `platinum`, `archives`, `moderator`, `administrator`.
    public let role: String
    /// One of `good`, `onProbation`, `banned`.
    public let standing: String
    public let registered: Int
    public let acceptsMessages: Bool
    public let postCount: Int
    /// The date of the last post; `nil` for an account that has never posted.
    public let lastPostDate: Int?
    /// The gender; `nil` if the account does not state it.
    public let gender: String?
    /// The account's text about itself; empty if there is none.
    public let about: String
    /// The address of the home page; `nil` if there is none.
    public let homepage: String?
    /// The location; empty if the account does not state it.
    public let location: String
  }

  /// A private message of the reader.
  public struct Message: Codable, Sendable, Hashable {
    public let id: String
    public let folderID: String
    public let title: String
    public let senderID: String
    public let sender: String
    public let recipientID: String
    public let recipient: String
    public let date: Int
    /// The name of the icon; empty for a message without an icon.
    public let icon: String
    /// The text as typed by its sender.
    public let text: String
    public let isSeen: Bool
    public let isRepliedTo: Bool
    public let isForwarded: Bool
  }

  /// A folder of the reader's messages.
  public struct Folder: Codable, Sendable, Hashable {
    public let id: String
    public let name: String
  }

  /// An entry of the list of punishments.
  public struct Punishment: Codable, Sendable, Hashable {
    /// One of `PROBATION`, `BAN`, `AUTOBAN`, `PERMABAN`.
    public let sentence: String
    public let userID: String
    /// The punished post; `nil` for a punishment that does not concern a single post.
    public let postID: String?
    public let date: Int
    public let reason: String
    public let requesterID: String
    public let approverID: String
  }

  /// A post reported to the moderators.
  public struct Report: Codable, Sendable, Hashable {
    public let postID: String
    public let reporterID: String
    /// The reporter's message; empty if there is none.
    public let message: String
    public let isNotSafeForWork: Bool
  }

  /// Whether threads include their posts.
  public enum Posts: Sendable {
    case included, leftOut
  }

  public let seed: UInt64
  public let size: String
  /// The virtual time, in seconds since 1970.
  public let clock: Int
  public let revision: Int
  /// The reader for whom the unread counts and bookmarks apply.
  public let reader: User?
  public let users: [User]
  public let forums: [Forum]
  public let threads: [Thread]
  /// The reader's bookmarked threads, in the order of the bookmark list.
  public let bookmarkedThreadIDs: [String]
  /// The titles of the announcements, in the order of the lists.
  public let announcements: [String]
  /// The reader's folders, beginning with the two built-in folders.
  public let folders: [Folder]
  /// The reader's messages in all folders, newest first.
  public let messages: [Message]
  /// The ids on the reader's ignore list, in its order.
  public let ignoredUserIDs: [String]
  /// The punishments, newest first.
  public let punishments: [Punishment]
  /// The reports, oldest first.
  public let reports: [Report]

  /// Returns the typed posts, by ascending id.
  ///
  /// - Parameters:
  ///   - author: The name of the author; `nil` for every author.
  ///   - text: A string that the text must contain; `nil` for any text.
  public func typedPosts(by author: String? = nil, containing text: String? = nil) -> [Post] {
    threads.flatMap(\.posts).filter { post in
      guard let typed = post.typed else { return false }
      return (author == nil || post.author == author) && (text.map(typed.contains) ?? true)
    }.sorted { (Int($0.id) ?? 0) < (Int($1.id) ?? 0) }
  }
}

extension SiteState {
  /// Returns the true contents for a reader; without a reader, no thread has been opened.
  ///
  /// - Parameter posts: Whether the threads include their posts, which takes a long time on a large site.
  func truth(for userID: Int?, posts: SiteTruth.Posts = .included) -> SiteTruth {
    let users = usersTruth()
    return SiteTruth(
      seed: seed, size: size.name, clock: clock, revision: revision,
      reader: users.first { $0.id == userID.map { "\($0)" } }, users: users,
      forums: forums.map(truth(of:)),
      threads: threads.map { truth(of: $0, for: userID, posts: posts) },
      bookmarkedThreadIDs: userID.map { bookmarkList(of: $0).map { "\($0.id)" } } ?? [],
      announcements: announcements.map(\.title),
      folders: userID.map { folders(of: $0).map { .init(id: "\($0.id)", name: $0.name) } } ?? [],
      messages: messages.filter { $0.ownerID == userID }
        .sorted { ($0.date, $0.id) > ($1.date, $1.id) }.map(truth(of:)),
      ignoredUserIDs: userID.map { (readers[$0]?.ignoredIDs ?? []).map { "\($0)" } } ?? [],
      punishments: punishments.map(truth(of:)), reports: reports.map(truth(of:)))
  }

  private func usersTruth() -> [SiteTruth.User] {
    var counts: [Int: (posts: Int, last: Int)] = [:]
    for thread in threads {
      for post in thread.posts {
        let earlier = counts[post.authorID, default: (0, 0)]
        counts[post.authorID] = (earlier.posts + 1, max(earlier.last, post.date))
      }
    }
    return users.map { user in
      let profile = SiteProfile(of: user)
      return SiteTruth.User(
        id: "\(user.id)", name: user.name, role: user.role.rawValue,
        standing: user.standing.rawValue, registered: user.registered,
        acceptsMessages: user.acceptsMessages, postCount: counts[user.id]?.posts ?? 0,
        lastPostDate: counts[user.id].map { Self.minute($0.last) }, gender: profile.gender,
        about: profile.about, homepage: profile.homepage, location: profile.location)
    }
  }

  private func truth(of message: SiteMessage) -> SiteTruth.Message {
    SiteTruth.Message(
      id: "\(message.id)", folderID: "\(message.folderID)", title: message.title,
      senderID: "\(message.senderID)", sender: userName(message.senderID),
      recipientID: "\(message.recipientID)", recipient: userName(message.recipientID),
      date: Self.minute(message.date),
      icon: SiteThread.Tag.all.first { $0.id == message.iconID }?.name ?? "", text: message.text,
      isSeen: message.isSeen, isRepliedTo: message.isRepliedTo, isForwarded: message.isForwarded)
  }

  private func truth(of report: SiteReport) -> SiteTruth.Report {
    SiteTruth.Report(
      postID: "\(report.postID)", reporterID: "\(report.reporterID)", message: report.message,
      isNotSafeForWork: report.isNotSafeForWork)
  }

  private func truth(of punishment: SitePunishment) -> SiteTruth.Punishment {
    SiteTruth.Punishment(
      sentence: punishment.sentence.rawValue, userID: "\(punishment.userID)",
      postID: punishment.postID.map { "\($0)" }, date: Self.minute(punishment.date),
      reason: punishment.reason, requesterID: "\(punishment.requesterID)",
      approverID: "\(punishment.approverID)")
  }

  private func truth(of forum: SiteForum) -> SiteTruth.Forum {
    SiteTruth.Forum(
      id: "\(forum.id)", title: forum.name, parentID: forum.parentID.map { "\($0)" },
      isGroup: forum.isGroup, moderatorIDs: forum.moderatorIDs.map { "\($0)" },
      threadIDs: threadList(inForum: forum.id).map { "\($0.id)" })
  }

  /// Returns the true contents of a thread for a reader.
  func truth(
    of thread: SiteThread, for userID: Int?, posts: SiteTruth.Posts = .included
  ) -> SiteTruth.Thread {
    let seen = userID.flatMap { seenCount(ofThread: thread.id, by: $0) }
    return SiteTruth.Thread(
      id: "\(thread.id)", forumID: "\(thread.forumID)", title: thread.title,
      authorID: "\(thread.authorID)", author: userName(thread.authorID),
      isSticky: thread.isSticky, isClosed: thread.isClosed, isArchived: thread.isArchived,
      tag: thread.tag?.name ?? "", secondTag: thread.secondTag?.name ?? "",
      replies: thread.replies, views: thread.views, votes: thread.voteCount,
      ratingInHundredths: thread.averageInHundredths,
      lastPoster: userName(thread.lastPost?.authorID ?? 0),
      lastPostDate: Self.minute(thread.lastPost?.date ?? 0), seen: seen,
      unread: seen.map { thread.posts.count - $0 },
      bookmark: userID.flatMap { readers[$0]?.bookmarks[thread.id] },
      posts: posts == .included ? self.posts(of: thread) : [])
  }

  private func posts(of thread: SiteThread) -> [SiteTruth.Post] {
    thread.posts.enumerated().map { position, post in
      SiteTruth.Post(
        id: "\(post.id)", index: position + 1, authorID: "\(post.authorID)",
        author: userName(post.authorID), date: Self.minute(post.date),
        text: post.paragraphs().first ?? "", typed: post.typedText)
    }
  }

  private static func minute(_ date: Int) -> Int {
    date - date % 60
  }
}
