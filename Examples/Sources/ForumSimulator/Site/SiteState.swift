/// The whole site as one value: copied for rendering, changed only inside `ForumSite`.
struct SiteState: Codable, Sendable {
  /// Everything but the positions, which follow from the lists.
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
  /// Grows with every change, so that a client can wait for one.
  var revision = 0
  var random: SplitMix64
  var forums: [SiteForum] = []
  var users: [SiteUser] = []
  var threads: [SiteThread] = []
  var announcements: [SiteAnnouncement] = []
  var readers: [Int: Reader] = [:]
  var messages: [SiteMessage] = []
  /// Newest first.
  var punishments: [SitePunishment] = []
  var nextPostID = 0
  var nextThreadID = 0
  /// The searches that the site still knows, oldest first.
  var searches: [SiteSearch] = []
  var nextSearchID = 910_001
  var reports: [SiteReport] = []
  /// What is due by virtual time, soonest first.
  var script: [SiteScript.Due] = []
  /// Decides the random happenings, so that they depend on the seed alone.
  var happenings: SplitMix64
  var nextMessageID = 4_600_000
  /// The positions of the threads that new posts go to; a busier thread is listed more often.
  var busyThreads: [Int] = []
  var nextPostDate = 0
  var nextThreadDate = 0
  /// Whether every page but the log-in refuses guests.
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

  /// The second icon of a thread with a made-up first post in a forum; `nil` where the forum has none.
  func secondTag(inForum id: Int, from seed: UInt64) -> SiteThread.Tag? {
    forum(id)?.hasSecondIcons == true ? SiteThread.Tag.second(from: seed) : nil
  }

  func threadPosition(_ id: Int) -> Int? {
    threadPositions[id]
  }

  func thread(_ id: Int) -> SiteThread? {
    threadPositions[id].map { threads[$0] }
  }

  /// The posts of an account in all threads, oldest first.
  func posts(by userID: Int) -> [SitePost] {
    threads.flatMap { $0.posts.filter { $0.authorID == userID } }
      .sorted { ($0.date, $0.id) < ($1.date, $1.id) }
  }

  /// The thread and the position, from zero, of a post.
  func location(ofPost id: Int) -> (thread: SiteThread, position: Int)? {
    for thread in threads {
      if let position = thread.posts.firstIndex(where: { $0.id == id }) {
        return (thread, position)
      }
    }
    return nil
  }

  /// The forum and everything above it, group first.
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

  /// The threads of a forum as its list shows them: sticky ones first, then by last post.
  func threadList(inForum id: Int) -> [SiteThread] {
    Self.byLastPost(threads.filter { $0.forumID == id && $0.isSticky })
      + Self.byLastPost(threads.filter { $0.forumID == id && !$0.isSticky })
  }

  /// The bookmarked threads of an account, last post first.
  func bookmarkList(of userID: Int) -> [SiteThread] {
    Self.byLastPost((readers[userID]?.bookmarks ?? [:]).keys.compactMap { thread($0) })
  }

  private static func byLastPost(_ threads: [SiteThread]) -> [SiteThread] {
    threads.sorted { ($0.lastPost?.date ?? 0, $0.id) > ($1.lastPost?.date ?? 0, $1.id) }
  }
}
