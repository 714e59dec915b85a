/// The independent activity of the site: posts and threads that appear as virtual time passes.
///
/// The instant of every event is fixed in advance, so that one long step and many short steps result in the same state.
extension SiteState {
  /// Moves the virtual clock forward and runs every event that is due.
  ///
  /// - Parameter seconds: The number of virtual seconds; a number below one has no effect.
  mutating func advance(seconds: Int) {
    guard seconds > 0 else { return }
    let target = clock + min(seconds, 3_650 * 86_400)
    while let date = nextEventDate, date <= target {
      clock = max(date, clock)
      if date == script.first?.date {
        runScript()
      } else if date == nextThreadDate, nextThreadDate < nextPostDate {
        addThread()
        scheduleNextThread()
      } else {
        addPost()
        scheduleNextPost()
      }
    }
    clock = target
    revision += 1
  }

  private var nextEventDate: Int? {
    [nextPostDate, nextThreadDate, script.first?.date ?? .max].min()
  }

  mutating func scheduleNextPost() {
    nextPostDate += random.next(in: 1...size.secondsBetweenPosts * 2 - 1)
  }

  mutating func scheduleNextThread() {
    nextThreadDate += random.next(in: 1...size.secondsBetweenPosts * 40 - 1)
  }

  private mutating func addPost() {
    guard !busyThreads.isEmpty else { return }
    addPost(toThreadAt: busyThreads[random.next(below: busyThreads.count)])
  }

  mutating func addPost(toThreadAt position: Int) {
    threads[position].posts.append(makePost())
  }

  mutating func addThread() {
    var maker = TextMaker(seed: random.next())
    let forumIDs = forums.filter { !$0.isGroup }.map(\.id)
    let post = makePost()
    let tagPosition = random.next(below: WordLists.tags.count)
    nextThreadID += random.next(in: 1...90)
    let forumID = random.pick(forumIDs, or: 0)
    append(
      SiteThread(
        id: nextThreadID, forumID: forumID, title: maker.threadTitle(),
        authorID: post.authorID,
        tag: SiteThread.Tag(position: tagPosition),
        secondTag: secondTag(inForum: forumID, from: post.textSeed),
        isSticky: false, isClosed: false, voteCount: 0, voteSum: 0, baseViews: 0,
        activity: random.next(in: 1...3), posts: [post]))
    noteBusyThread(at: threads.count - 1)
  }

  /// Adds a thread to the busy threads; if there are too many, random entries are removed.
  mutating func noteBusyThread(at position: Int) {
    busyThreads += Array(repeating: position, count: threads[position].activity)
    while busyThreads.count > Self.busyLimit {
      busyThreads.remove(at: random.next(below: busyThreads.count))
    }
  }

  private static let busyLimit = 60

  /// Returns a post by any account except the default account, which belongs to the user of the client.
  private mutating func makePost() -> SitePost {
    nextPostID += random.next(in: 1...60)
    let author = users[random.next(in: 1...size.users - 1)]
    return SitePost(id: nextPostID, authorID: author.id, date: clock, textSeed: random.next())
  }
}
