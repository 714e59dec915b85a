/// The whole site as one value, copied for rendering and changed only inside `ForumSite`.
struct SiteState: Codable, Sendable {
  /// The keys of all properties except the positions, which are derived from the lists.
  private enum CodingKeys: CodingKey {
    case seed, size, clock, revision, random, forums, users, threads, announcements, readers
    case messages, punishments, searches, reports, script, happenings
    case nextPostID, nextThreadID, nextMessageID, nextSearchID, nextPostDate, nextThreadDate
    case busyThreads, demandsLogIn
  }

  let seed: UInt64
  let size: SiteSize
  /// The virtual time, in seconds since 1970.
  var clock: Int
  /// The revision number, which increases with every change, so that a client can wait for a change.
  var revision = 0
  var random: SplitMix64
  var forums: [SiteForum] = []
  var users: [SiteUser] = []
  var threads: [SiteThread] = []
  var announcements: [SiteAnnouncement] = []
  var readers: [Int: Reader] = [:]
  var messages: [SiteMessage] = []
  /// The punishments, newest first.
  var punishments: [SitePunishment] = []
  var nextPostID = 0
  var nextThreadID = 0
  /// The searches that the site still stores, oldest first.
  var searches: [SiteSearch] = []
  var nextSearchID = 910_001
  var reports: [SiteReport] = []
  /// The pending steps of the script by virtual time, earliest first.
  var script: [SiteScript.Due] = []
  /// The sequence of random events, which therefore depend only on the seed.
  var happenings: SplitMix64
  var nextMessageID = 4_600_000
  /// The positions of the threads that receive new posts; busier threads appear more often.
  var busyThreads: [Int] = []
  var nextPostDate = 0
  var nextThreadDate = 0
  /// Whether guests may open only the login page.
  var demandsLogIn = false

  private var userPositions: [Int: Int] = [:]
  private var threadPositions: [Int: Int] = [:]

  init(seed: UInt64, size: SiteSize, clock: Int) {
    self.seed = seed
    self.size = size
    self.clock = clock
    random = SplitMix64(seed: seed)
    happenings = SplitMix64(seed: seed ^ 0x6861_7070)
  }

  mutating func indexPositions() {
    indexUsers()
    indexThreads()
  }

  private mutating func indexThreads() {
    threadPositions = Dictionary(
      threads.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func indexUsers() {
    userPositions = Dictionary(
      users.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func append(_ thread: SiteThread) {
    threadPositions[thread.id] = threads.count
    threads.append(thread)
  }

  mutating func deleteThread(_ id: Int) {
    guard let removed = threadPositions[id] else { return }
    threads.remove(at: removed)
    indexThreads()
    busyThreads = busyThreads.filter { $0 != removed }.map { $0 > removed ? $0 - 1 : $0 }
    for user in readers.keys {
      readers[user]?.bookmarks[id] = nil
      readers[user]?.seenCounts[id] = nil
    }
  }

  func user(_ id: Int) -> SiteUser? {
    userPositions[id].map { users[$0] }
  }

  func user(named name: String) -> SiteUser? {
    users.first { $0.name.lowercased() == name.lowercased() }
  }

  func userName(_ id: Int) -> String {
    user(id)?.name ?? "nobody"
  }

  func forum(_ id: Int) -> SiteForum? {
    forums.first { $0.id == id }
  }

  /// Returns the second icon of a thread with a generated first post in a forum; `nil` if the forum has no second icons.
  func secondTag(inForum id: Int, from seed: UInt64) -> SiteThread.Tag? {
    forum(id)?.hasSecondIcons == true ? SiteThread.Tag.second(from: seed) : nil
  }

  func threadPosition(_ id: Int) -> Int? {
    threadPositions[id]
  }

  func thread(_ id: Int) -> SiteThread? {
    threadPositions[id].map { threads[$0] }
  }

  /// Returns the posts of an account in all threads, oldest first.
  func posts(by userID: Int) -> [SitePost] {
    threads.flatMap { $0.posts.filter { $0.authorID == userID } }
      .sorted { ($0.date, $0.id) < ($1.date, $1.id) }
  }

  /// Returns the thread and the position, from zero, of a post.
  func location(ofPost id: Int) -> (thread: SiteThread, position: Int)? {
    for thread in threads {
      if let position = thread.posts.firstIndex(where: { $0.id == id }) {
        return (thread, position)
      }
    }
    return nil
  }

  /// Returns the forum and its ancestors, beginning with the group.
  func path(toForum id: Int) -> [SiteForum] {
    var path: [SiteForum] = []
    var next = forum(id)
    while let current = next, path.count < 8 {
      path.insert(current, at: 0)
      next = current.parentID.flatMap { forum($0) }
    }
    return path
  }

  func children(of parentID: Int?) -> [SiteForum] {
    forums.filter { $0.parentID == parentID }
  }

  /// Returns the threads of a forum in the order of its list: sticky threads first, then by last post.
  func threadList(inForum id: Int) -> [SiteThread] {
    Self.byLastPost(threads.filter { $0.forumID == id && $0.isSticky })
      + Self.byLastPost(threads.filter { $0.forumID == id && !$0.isSticky })
  }

  /// Returns the bookmarked threads of an account, the most recent last post first.
  func bookmarkList(of userID: Int) -> [SiteThread] {
    Self.byLastPost((readers[userID]?.bookmarks ?? [:]).keys.compactMap { thread($0) })
  }

  private static func byLastPost(_ threads: [SiteThread]) -> [SiteThread] {
    threads.sorted { ($0.lastPost?.date ?? 0, $0.id) > ($1.lastPost?.date ?? 0, $1.id) }
  }
}
