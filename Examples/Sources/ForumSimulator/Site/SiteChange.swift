/// Something a request changes on the site. Answers list their changes; `ForumSite` applies them.
enum SiteChange: Sendable, Hashable {
  /// Posts up to an index count as seen, never fewer than before.
  case see(user: Int, thread: Int, upTo: Int)
  /// The read marker is put exactly at an index.
  case setMarker(user: Int, thread: Int, at: Int)
  case forgetMarker(user: Int, thread: Int)
  case bookmark(user: Int, thread: Int, colour: Int)
  case removeBookmark(user: Int, thread: Int)
  case vote(user: Int, thread: Int, value: Int)
  /// A user replies in a thread.
  case post(thread: Int)
  /// A moderator takes a post away; the posts behind it move up. A thread keeps its last one.
  case deletePost(Int)
  case deleteThread(Int)
  case rename(thread: Int, title: String)
  case move(thread: Int, forum: Int)
}

extension SiteState {
  /// Applies one change; a change about an unknown thread does nothing.
  mutating func apply(_ change: SiteChange) {
    switch change {
    case .see(let user, let thread, let index):
      guard index > seenCount(ofThread: thread, by: user) ?? 0 else { return }
      readers[user, default: Reader()].seenCounts[thread] = index
    case .setMarker(let user, let thread, let index):
      guard let count = self.thread(thread)?.posts.count else { return }
      readers[user, default: Reader()].seenCounts[thread] = min(max(index, 0), count)
    case .forgetMarker(let user, let thread):
      readers[user, default: Reader()].seenCounts[thread] = nil
    case .bookmark(let user, let thread, let colour):
      guard self.thread(thread) != nil else { return }
      readers[user, default: Reader()].bookmarks[thread] = colour
    case .removeBookmark(let user, let thread):
      readers[user, default: Reader()].bookmarks[thread] = nil
    case .vote(let user, let thread, let value):
      vote(user: user, threadID: thread, value: value)
    case .post(let thread):
      if let position = threadPosition(thread) { addPost(toThreadAt: position) }
    case .deletePost(let post): deletePost(post)
    case .deleteThread(let thread): deleteThread(thread)
    case .rename(let thread, let title):
      if let position = threadPosition(thread) { threads[position].title = title }
    case .move(let thread, let forum):
      guard let position = threadPosition(thread), self.forum(forum)?.isGroup == false else {
        return
      }
      threads[position].forumID = forum
    }
    revision += 1
  }

  /// How many posts of a thread an account has seen; `nil` when it never opened the thread.
  func seenCount(ofThread thread: Int, by user: Int) -> Int? {
    readers[user]?.seenCounts[thread]
  }

  /// Read markers count posts, so they move with the posts.
  private mutating func deletePost(_ id: Int) {
    guard let (thread, index) = location(ofPost: id), thread.posts.count > 1,
      let position = threadPosition(thread.id)
    else { return }
    threads[position].posts.remove(at: index)
    for user in readers.keys {
      if let seen = readers[user]?.seenCounts[thread.id], seen > index {
        readers[user]?.seenCounts[thread.id] = seen - 1
      }
    }
  }

  /// A second vote replaces the first.
  private mutating func vote(user: Int, threadID: Int, value: Int) {
    guard let position = threadPosition(threadID), (1...5).contains(value) else { return }
    if let earlier = readers[user]?.votes[threadID] {
      threads[position].voteSum -= earlier
    } else {
      threads[position].voteCount += 1
    }
    threads[position].voteSum += value
    readers[user, default: Reader()].votes[threadID] = value
  }
}
