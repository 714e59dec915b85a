/// Chooses the subject of an event.
///
/// A value that reads the site and draws from a sequence; `SiteState` applies the changes.
struct HappeningMaker {
  let state: SiteState
  var random: SplitMix64

  /// The relative frequency of each kind.
  private static let weights: [(kind: Happening, weight: Int)] = [
    (.post, 40), (.newThread, 6), (.renameThread, 6), (.deletePost, 8), (.moveThread, 5),
    (.closeThread, 4), (.openThread, 2), (.deleteThread, 3), (.renameUser, 5),
    (.changeAnnouncement, 4), (.message, 8), (.renameForum, 3), (.addForum, 2),
    (.changeModerators, 4),
  ]

  /// Returns a kind that can occur now, with its change.
  mutating func next() -> (kind: Happening, change: SiteChange) {
    let position = random.position(weights: Self.weights.map(\.weight)) ?? 0
    let kind = Self.weights[position].kind
    if let change = change(kind) { return (kind, change) }
    return (.newThread, .newThread)
  }

  /// Returns the change of a kind; `nil` if the kind cannot occur in the site's current state.
  mutating func change(_ kind: Happening) -> SiteChange? {
    switch kind {
    case .post: openThread().map { .post(thread: $0.id) }
    case .newThread: .newThread
    case .renameThread: renameThread()
    case .deletePost: deletePost()
    case .moveThread: moveThread()
    case .closeThread: closeThread()
    case .openThread:
      pick(state.threads.filter(\.isClosed)).map { .setClosed(thread: $0.id, false) }
    case .deleteThread: deleteThread()
    case .renameUser: renameUser()
    case .changeAnnouncement: changeAnnouncement()
    case .message: message()
    case .renameForum: renameForum()
    case .addForum: addForum()
    case .changeModerators: changeModerators()
    }
  }

  private mutating func pick<Element>(_ list: [Element]) -> Element? {
    list.isEmpty ? nil : list[random.next(below: list.count)]
  }

  private mutating func maker() -> TextMaker {
    TextMaker(seed: random.next())
  }

  /// The members in good standing, except the readers that tests log in with.
  private var others: [SiteUser] {
    state.users.filter { !ForumSite.readerNames.contains($0.name) && $0.standing == .good }
  }

  private var threadForums: [SiteForum] { state.forums.filter { !$0.isGroup } }

  private mutating func openThread() -> SiteThread? {
    pick(state.threads.filter { !$0.isClosed })
  }

  private mutating func renameThread() -> SiteChange? {
    guard let thread = pick(state.threads) else { return nil }
    var text = maker()
    return .rename(thread: thread.id, title: text.threadTitle())
  }

  private mutating func deletePost() -> SiteChange? {
    guard let thread = pick(state.threads.filter { $0.posts.count > 1 }) else { return nil }
    return pick(thread.posts).map { .deletePost($0.id) }
  }

  private mutating func moveThread() -> SiteChange? {
    guard let thread = pick(state.threads) else { return nil }
    let forums = threadForums.filter { $0.id != thread.forumID }
    return pick(forums).map { .move(thread: thread.id, forum: $0.id) }
  }

  /// Returns a change that closes a thread; at least half of the threads stay open.
  private mutating func closeThread() -> SiteChange? {
    let open = state.threads.filter { !$0.isClosed }
    guard open.count * 2 > state.threads.count else { return nil }
    return pick(open).map { .setClosed(thread: $0.id, true) }
  }

  /// Returns a change that deletes a thread; at least half of the site's initial number of threads remains.
  private mutating func deleteThread() -> SiteChange? {
    guard state.threads.count * 2 > state.size.threads else { return nil }
    return pick(state.threads).map { .deleteThread($0.id) }
  }

  private mutating func renameUser() -> SiteChange? {
    guard let user = pick(others) else { return nil }
    var text = maker()
    let name = text.userName()
    let isTaken = state.user(named: name) != nil
    return .site(.renameUser(user.id, isTaken ? "\(name) \(random.next(in: 100...99_999))" : name))
  }

  private mutating func changeAnnouncement() -> SiteChange? {
    guard let author = pick(state.users.filter { $0.role == .administrator }) else { return nil }
    var text = maker()
    let fresh = SiteAnnouncement(
      title: text.sentence(), authorID: author.id, date: state.clock, textSeed: random.next())
    var announcements = state.announcements
    let position = random.next(below: announcements.count)
    switch random.next(below: 3) {
    case 0 where announcements.count > 1: announcements.remove(at: position)
    case 1 where !announcements.isEmpty: announcements[position] = fresh
    default:
      announcements.insert(fresh, at: 0)
      if announcements.count > 5 { announcements.removeLast() }
    }
    return .site(.setAnnouncements(announcements))
  }

  private mutating func message() -> SiteChange? {
    guard let sender = pick(others), let recipient = state.user(named: ForumSite.defaultUserName)
    else { return nil }
    var text = maker()
    return .message(
      .send(
        MessageChange.Draft(
          senderID: sender.id, recipientID: recipient.id, title: text.threadTitle(), iconID: 0,
          text: text.paragraphs().joined(separator: "\n\n")), keepsCopy: false))
  }

  private mutating func renameForum() -> SiteChange? {
    guard let forum = pick(state.forums) else { return nil }
    let names = forumNames()
    return .site(.renameForum(forum.id, name: names.name, shortName: names.short))
  }

  private mutating func forumNames() -> (name: String, short: String) {
    let names = pick(WordLists.forums) ?? ("", "")
    let number = random.next(in: 2...999)
    return ("\(names.name) \(number)", "\(names.short) \(number)")
  }

  /// Returns a change that adds a forum: at most as many as the site began with, and none deeper than four levels.
  private mutating func addForum() -> SiteChange? {
    guard threadForums.count < state.size.forums * 2,
      let parent = pick(state.forums.filter { state.path(toForum: $0.id).count < 4 })
    else { return nil }
    let names = forumNames()
    let highest = state.forums.map(\.id).max() ?? 0
    return .site(
      .addForum(
        SiteForum(
          id: highest + random.next(in: 1...9), name: names.name, shortName: names.short,
          parentID: parent.id, isGroup: false, moderatorIDs: [])))
  }

  private mutating func changeModerators() -> SiteChange? {
    guard let forum = pick(threadForums) else { return nil }
    let staff = state.users.filter(\.isStaff).map(\.id)
    var chosen: [Int] = []
    for _ in 0..<random.next(below: 4) {
      if let id = pick(staff), !chosen.contains(id) { chosen.append(id) }
    }
    return .site(.setModerators(forum: forum.id, chosen))
  }
}
