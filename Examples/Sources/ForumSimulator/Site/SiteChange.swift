/// A change that a request makes to the site. Answers list their changes; `ForumSite` applies them.
enum SiteChange: Sendable, Hashable {
  /// Marks the posts up to an index as seen; never reduces the number of seen posts.
  case see(user: Int, thread: Int, upTo: Int)
  /// Sets the read marker exactly to an index.
  case setMarker(user: Int, thread: Int, at: Int)
  case forgetMarker(user: Int, thread: Int)
  case bookmark(user: Int, thread: Int, colour: Int)
  case removeBookmark(user: Int, thread: Int)
  case vote(user: Int, thread: Int, value: Int)
  /// Adds a reply of a user with a generated text.
  case post(thread: Int)
  /// Adds a reply of an account with a typed text.
  case reply(user: Int, thread: Int, text: String)
  case edit(post: Int, text: String)
  /// Adds a thread of a user with a generated text.
  case newThread
  /// Starts a thread of an account; icon zero means no icon. The second icon applies only in forums with second icons.
  case begin(user: Int, forum: Int, title: String, icon: Int, secondIcon: Int?, text: String)
  case message(MessageChange)
  case ignore(user: Int, others: [Int])
  /// Deletes a post, as a moderator does; the following posts move up. The last post of a thread remains.
  case deletePost(Int)
  case deleteThread(Int)
  case setClosed(thread: Int, Bool)
  case archive(thread: Int)
  case search(SiteSearch)
  case report(SiteReport)
  case site(StructureChange)
  case rename(thread: Int, title: String)
  case move(thread: Int, forum: Int)
}

extension SiteState {
  /// Applies one change; a change to an unknown thread has no effect.
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
    case .newThread: addThread()
    case .reply(let user, let thread, let text):
      guard let position = threadPosition(thread) else { return }
      threads[position].posts.append(typedPost(text, by: user))
    case .edit(let post, let text):
      guard let (thread, index) = location(ofPost: post), let position = threadPosition(thread.id)
      else { return }
      threads[position].posts[index].typedText = text
      threads[position].posts[index].editDate = clock
    case .begin(let user, let forum, let title, let icon, let secondIcon, let text):
      begin(
        title, icon: icon, secondIcon: secondIcon, inForum: forum,
        with: typedPost(text, by: user))
    case .message(let change): apply(change)
    case .ignore(let user, let others): readers[user, default: Reader()].ignoredIDs = others
    case .deletePost(let post): deletePost(post)
    case .deleteThread(let thread): deleteThread(thread)
    case .setClosed(let thread, let isClosed):
      guard let position = threadPosition(thread) else { return }
      threads[position].isClosed = isClosed
      busyThreads.removeAll { $0 == position }
      if !isClosed { busyThreads.append(position) }
    case .archive(let thread):
      if let position = threadPosition(thread) { threads[position].isArchived = true }
    case .search(let search):
      searches = searches.suffix(99) + [search]
      nextSearchID = search.id + 1
      readers[search.ownerID, default: Reader()].lastSearchDate = clock
    case .report(let report): reports.append(report)
    case .site(let change): apply(change)
    case .rename(let thread, let title):
      if let position = threadPosition(thread) { threads[position].title = title }
    case .move(let thread, let forum):
      guard let position = threadPosition(thread), let place = self.forum(forum), !place.isGroup
      else { return }
      threads[position].forumID = forum
      if !place.hasSecondIcons { threads[position].secondTag = nil }
    }
    revision += 1
  }

  /// Returns the number of posts of a thread that an account has seen; `nil` if it has never opened the thread.
  func seenCount(ofThread thread: Int, by user: Int) -> Int? {
    readers[user]?.seenCounts[thread]
  }

  /// Returns the newest post of a thread.
  func lastPost(inThread id: Int) -> (thread: SiteThread, post: SitePost)? {
    guard let thread = thread(id), let post = thread.lastPost else { return nil }
    return (thread, post)
  }

  private mutating func typedPost(_ text: String, by user: Int) -> SitePost {
    nextPostID += 1
    return SitePost(id: nextPostID, authorID: user, date: clock, textSeed: 0, typedText: text)
  }

  private mutating func begin(
    _ title: String, icon: Int, secondIcon: Int?, inForum forumID: Int, with post: SitePost
  ) {
    nextThreadID += 1
    let hasSecond = forum(forumID)?.hasSecondIcons == true
    append(
      SiteThread(
        id: nextThreadID, forumID: forumID, title: title, authorID: post.authorID,
        tag: SiteThread.Tag.all.first { $0.id == icon },
        secondTag: hasSecond ? SiteThread.Tag.second.first { $0.id == secondIcon } : nil,
        isSticky: false, isClosed: false, voteCount: 0, voteSum: 0, baseViews: 0, activity: 0,
        posts: [post]))
  }

  /// Deletes a post and adjusts the read markers, which count posts.
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

  /// Adds a vote; a second vote replaces the first.
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
