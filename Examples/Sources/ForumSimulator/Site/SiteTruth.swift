/// What is true on the site for one reader: a test compares its own store and screens with this.
///
/// Ids are text, as on the pages. Dates are seconds since 1970 cut to the minute, because pages
/// print no seconds.
public struct SiteTruth: Codable, Sendable, Hashable {
  /// A group or forum.
  public struct Forum: Codable, Sendable, Hashable {
    public let id: String
    public let title: String
    /// The group or forum above; `nil` for a group.
    public let parentID: String?
    public let isGroup: Bool
    public let moderatorIDs: [String]
    /// Every thread, in the order of the forum's list.
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
    /// The name of the icon; empty for a thread without one.
    public let tag: String
    public let replies: Int
    public let views: Int
    public let votes: Int
    /// Average vote in hundredths; `nil` while nobody voted.
    public let ratingInHundredths: Int?
    public let lastPoster: String
    public let lastPostDate: Int
    /// Number of seen posts; `nil` when the reader never opened the thread.
    public let seen: Int?
    /// Number of unseen posts; `nil` when the reader never opened the thread.
    public let unread: Int?
    /// Colour 0 to 5; `nil` without a bookmark.
    public let bookmark: Int?
    public let posts: [Post]
  }

  /// A post.
  public struct Post: Codable, Sendable, Hashable {
    public let id: String
    /// The place in the thread, counted from one.
    public let index: Int
    public let authorID: String
    public let author: String
    public let date: Int
    /// The post's own first paragraph, without the quotation at the top.
    public let text: String
    /// The whole text as its author typed it, line ends as `\n`; `nil` for a post made up by the site.
    public let typed: String?
  }

  /// An account.
  public struct User: Codable, Sendable, Hashable {
    public let id: String
    public let name: String
    /// One of `normal`, `platinum`, `moderator`, `administrator`.
    public let role: String
  }

  public let seed: UInt64
  public let size: String
  /// The virtual time in seconds since 1970.
  public let clock: Int
  public let revision: Int
  /// The reader that the unread numbers and bookmarks belong to.
  public let reader: User?
  public let users: [User]
  public let forums: [Forum]
  public let threads: [Thread]
  /// The reader's bookmarked threads, in the order of the bookmark list.
  public let bookmarkedThreadIDs: [String]
  /// The titles of the announcements, in the order of the lists.
  public let announcements: [String]

  /// The posts that people typed, by ascending id.
  ///
  /// - Parameters:
  ///   - author: The name of the author; `nil` stands for every author.
  ///   - text: What the text must contain; `nil` stands for any text.
  public func typedPosts(by author: String? = nil, containing text: String? = nil) -> [Post] {
    threads.flatMap(\.posts).filter { post in
      guard let typed = post.typed else { return false }
      return (author == nil || post.author == author) && (text.map(typed.contains) ?? true)
    }.sorted { (Int($0.id) ?? 0) < (Int($1.id) ?? 0) }
  }
}

extension SiteState {
  /// What is true for a reader; without one, no thread has been opened.
  func truth(for userID: Int?) -> SiteTruth {
    SiteTruth(
      seed: seed, size: size.name, clock: clock, revision: revision,
      reader: userID.flatMap { user($0) }.map(truth(of:)), users: users.map(truth(of:)),
      forums: forums.map(truth(of:)), threads: threads.map { truth(of: $0, for: userID) },
      bookmarkedThreadIDs: userID.map { bookmarkList(of: $0).map { "\($0.id)" } } ?? [],
      announcements: announcements.map(\.title))
  }

  private func truth(of user: SiteUser) -> SiteTruth.User {
    SiteTruth.User(id: "\(user.id)", name: user.name, role: "\(user.role)")
  }

  private func truth(of forum: SiteForum) -> SiteTruth.Forum {
    SiteTruth.Forum(
      id: "\(forum.id)", title: forum.name, parentID: forum.parentID.map { "\($0)" },
      isGroup: forum.isGroup, moderatorIDs: forum.moderatorIDs.map { "\($0)" },
      threadIDs: threadList(inForum: forum.id).map { "\($0.id)" })
  }

  private func truth(of thread: SiteThread, for userID: Int?) -> SiteTruth.Thread {
    let seen = userID.flatMap { seenCount(ofThread: thread.id, by: $0) }
    return SiteTruth.Thread(
      id: "\(thread.id)", forumID: "\(thread.forumID)", title: thread.title,
      authorID: "\(thread.authorID)", author: userName(thread.authorID),
      isSticky: thread.isSticky, isClosed: thread.isClosed, tag: thread.tag?.name ?? "",
      replies: thread.replies, views: thread.views, votes: thread.voteCount,
      ratingInHundredths: thread.averageInHundredths,
      lastPoster: userName(thread.lastPost?.authorID ?? 0),
      lastPostDate: Self.minute(thread.lastPost?.date ?? 0), seen: seen,
      unread: seen.map { thread.posts.count - $0 },
      bookmark: userID.flatMap { readers[$0]?.bookmarks[thread.id] }, posts: posts(of: thread))
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
