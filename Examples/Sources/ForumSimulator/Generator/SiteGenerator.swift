/// Generates a complete site from a seed; the same seed and size always produce the same site, byte for byte.
///
/// The generator owns nothing; the finished state belongs to `ForumSite`.
struct SiteGenerator {
  private static let day = 86_400

  private var state: SiteState

  /// Returns the site at the start of its virtual time.
  static func makeState(seed: UInt64, size: SiteSize) -> SiteState {
    var generator = SiteGenerator(
      state: SiteState(seed: seed, size: size, clock: SiteClock.start))
    generator.addUsers()
    generator.addForums()
    generator.addAnnouncements()
    generator.addThreads()
    generator.addReaders()
    generator.schedule()
    var members = MemberGenerator(seed: seed)
    members.fill(&generator.state)
    return generator.state
  }

  private mutating func addUsers() {
    var usedNames: Set<String> = []
    var id = 100_000
    for position in 0..<state.size.users {
      id += state.random.next(in: 1...40)
      let name = makeUserName(position: position, used: &usedNames)
      state.users.append(makeUser(id: id, name: name, position: position))
    }
    addUsersInTrouble(after: id, used: usedNames)
    state.indexUsers()
  }

  /// Adds two accounts with restrictions, which have never posted.
  private mutating func addUsersInTrouble(after id: Int, used: Set<String>) {
    var usedNames = used
    let standings: [(name: String, standing: SiteUser.Standing)] = [
      (ForumSite.bannedUserName, .banned), (ForumSite.probationUserName, .onProbation),
    ]
    for (position, entry) in standings.enumerated() {
      state.users.append(
        SiteUser(
          id: id + 50 + position, name: claim(entry.name, in: &usedNames), role: .normal,
          standing: entry.standing, registered: state.clock - 400 * Self.day,
          tagline: "Sent to the cellar", hasAvatar: false, acceptsMessages: false,
          usesTwelveHourClock: false, pageSize: 40))
    }
  }

  private mutating func makeUserName(position: Int, used: inout Set<String>) -> String {
    if position == 0 { return claim(ForumSite.defaultUserName, in: &used) }
    if position == 1 { return claim(ForumSite.twelveHourUserName, in: &used) }
    var maker = TextMaker(seed: state.random.next())
    return claim(maker.userName(), in: &used)
  }

  /// Returns a unique name, numbered if necessary.
  private func claim(_ name: String, in used: inout Set<String>) -> String {
    var candidate = name
    var number = 2
    while !used.insert(candidate.lowercased()).inserted {
      candidate = "\(name) \(number)"
      number += 1
    }
    return candidate
  }

  private mutating func makeUser(id: Int, name: String, position: Int) -> SiteUser {
    let role: SiteUser.Role =
      switch position {
      case 0, 1: .platinum
      case 2: .administrator
      case 3: .moderator
      default:
        if state.random.happens(percent: 8) {
          .moderator
        } else {
          state.random.happens(percent: 40) ? .platinum : .normal
        }
      }
    var maker = TextMaker(seed: state.random.next())
    let registered = state.clock - state.random.next(in: 250...6_000) * Self.day
    return SiteUser(
      id: id, name: name, role: role, registered: registered, tagline: maker.tagline(),
      hasAvatar: state.random.happens(percent: 60),
      acceptsMessages: state.random.happens(percent: 80) || position < 2,
      usesTwelveHourClock: position == 1, pageSize: position == 0 ? 30 : 40)
  }

  private mutating func addForums() {
    var groupIDs: [Int] = []
    for position in 0..<state.size.groups {
      let id = 40 + position * 3
      let name = WordLists.groups[position % WordLists.groups.count]
      groupIDs.append(id)
      state.forums.append(
        SiteForum(
          id: id, name: name, shortName: name, parentID: nil, isGroup: true, moderatorIDs: []))
    }
    var nextID = 100
    for position in 0..<state.size.forums {
      nextID += state.random.next(in: 1...9)
      let forum = makeForum(id: nextID, position: position, groupIDs: groupIDs)
      state.forums.append(forum)
    }
  }

  private mutating func makeForum(id: Int, position: Int, groupIDs: [Int]) -> SiteForum {
    let names = WordLists.forums[position % WordLists.forums.count]
    let round = position / WordLists.forums.count
    let suffix = round == 0 ? "" : " \(round + 1)"
    let staff = state.users.filter { $0.role == .moderator }
    let moderators = (0..<min(2, staff.count)).map { staff[(position + $0) % staff.count].id }
    return SiteForum(
      id: id, name: names.name + suffix, shortName: names.short + suffix,
      parentID: parent(position: position, groupIDs: groupIDs), isGroup: false,
      moderatorIDs: moderators, hasSecondIcons: position % 3 == 1)
  }

  /// Returns the parent of a forum: every third forum is below the forum before it, and some of those have another child.
  private func parent(position: Int, groupIDs: [Int]) -> Int? {
    guard let previous = state.forums.last, !previous.isGroup else {
      return groupIDs[position % groupIDs.count]
    }
    let previousIsNested = state.forum(previous.parentID ?? 0)?.isGroup == false
    if position % 3 == 2 || (position % 7 == 3 && previousIsNested) { return previous.id }
    return groupIDs[position % groupIDs.count]
  }

  private mutating func addAnnouncements() {
    let administrator = state.users[2]
    for (position, title) in ["Harbour maintenance on Sunday", "New flags & new rules"].enumerated()
    {
      state.announcements.append(
        SiteAnnouncement(
          title: title, authorID: administrator.id,
          date: state.clock - (position * 20 + 3) * Self.day, textSeed: state.random.next()))
    }
  }

  private mutating func addThreads() {
    var ranks = (0..<state.size.threads).map { _ in state.random.next(below: state.size.threads) }
    ranks[0] = 0
    let postCounts = Self.share(
      state.size.posts, weights: ranks.map { 1_000_000 / ($0 + 1) })
    let forumIDs = state.forums.filter { !$0.isGroup }.map(\.id)
    let weights = forumIDs.indices.map { 1_000 / ($0 + 1) }
    var threads: [SiteThread] = []
    for position in 0..<state.size.threads {
      let drawn = state.random.position(weights: weights) ?? 0
      let forumID = forumIDs[position < forumIDs.count ? position : drawn]
      threads.append(
        makeThread(forumID: forumID, posts: postCounts[position], rank: ranks[position]))
    }
    number(&threads)
  }

  /// Splits a total by weight; every part is at least one, and the parts add up to the total.
  private static func share(_ total: Int, weights: [Int]) -> [Int] {
    let spare = total - weights.count
    let sum = max(weights.reduce(0, +), 1)
    var parts = weights.map { 1 + spare * $0 / sum }
    if let first = parts.first { parts[0] = first + total - parts.reduce(0, +) }
    return parts
  }

  private mutating func makeThread(forumID: Int, posts count: Int, rank: Int) -> SiteThread {
    var maker = TextMaker(seed: state.random.next())
    let isClosed = rank > 2 && state.random.happens(percent: 10)
    let tagPosition = state.random.next(below: WordLists.tags.count)
    let votes = state.random.happens(percent: 55) ? state.random.next(in: 3...180) : 0
    let posts = makePosts(count, isRecent: rank < 12)
    return SiteThread(
      id: 0, forumID: forumID, title: maker.threadTitle(), authorID: posts.first?.authorID ?? 0,
      tag: SiteThread.Tag(position: tagPosition),
      secondTag: state.secondTag(inForum: forumID, from: posts.first?.textSeed ?? 0),
      isSticky: state.random.happens(percent: 7), isClosed: isClosed, voteCount: votes,
      voteSum: (0..<votes).reduce(0) { sum, _ in sum + state.random.next(in: 2...5) },
      baseViews: state.random.next(in: 40...9_000), activity: isClosed ? 0 : max(0, 8 - rank),
      posts: posts)
  }

  private mutating func makePosts(_ count: Int, isRecent: Bool) -> [SitePost] {
    let start = state.clock - state.random.next(in: 6 * Self.day...200 * Self.day)
    let newest = isRecent ? 2 * Self.day : state.clock - start - Self.day
    let end = state.clock - state.random.next(in: 600...max(newest, 601))
    var dates = (0..<count).map { _ in state.random.next(in: start...end) }.sorted()
    if !dates.isEmpty { dates[0] = start }
    return dates.map { date in
      SitePost(id: 0, authorID: randomAuthor(), date: date, textSeed: state.random.next())
    }
  }

  /// Returns a random author: sometimes the default account, otherwise one of the other accounts.
  private mutating func randomAuthor() -> Int {
    let isDefault = state.random.happens(percent: 3)
    let position = isDefault ? 0 : state.random.next(in: 1...state.size.users - 1)
    return state.users[position].id
  }

  /// Assigns ids to threads and posts that increase with their dates, as on a site that grew over time.
  private mutating func number(_ threads: inout [SiteThread]) {
    threads.sort { ($0.posts.first?.date ?? 0) < ($1.posts.first?.date ?? 0) }
    var places: [(date: Int, thread: Int, post: Int)] = []
    for (threadPosition, thread) in threads.enumerated() {
      for (postPosition, post) in thread.posts.enumerated() {
        places.append((post.date, threadPosition, postPosition))
      }
    }
    places.sort { ($0.date, $0.thread, $0.post) < ($1.date, $1.thread, $1.post) }
    state.nextPostID = 530_000_001
    for place in places {
      state.nextPostID += state.random.next(in: 1...60)
      threads[place.thread].posts[place.post].id = state.nextPostID
    }
    state.nextThreadID = 4_000_001
    for var thread in threads {
      state.nextThreadID += state.random.next(in: 1...90)
      thread.id = state.nextThreadID
      state.append(thread)
    }
  }

  /// Adds the reading state of the default account, which has opened some threads, finished others and bookmarked a third of both.
  private mutating func addReaders() {
    guard let user = state.users.first else { return }
    var reader = Reader()
    for (position, thread) in state.threads.enumerated() {
      let share = state.random.next(below: 100)
      let isOpened = share >= 40 || position % 5 == 0
      guard isOpened else { continue }
      let seen = state.random.next(in: 1...max(thread.posts.count, 1))
      reader.seenCounts[thread.id] = share >= 75 ? thread.posts.count : seen
      if position % 3 == 0 { reader.bookmarks[thread.id] = state.random.next(below: 6) }
    }
    state.readers[user.id] = reader
  }

  private mutating func schedule() {
    for position in state.threads.indices { state.noteBusyThread(at: position) }
    state.nextPostDate = state.clock
    state.nextThreadDate = state.clock
    state.scheduleNextPost()
    state.scheduleNextThread()
  }
}
