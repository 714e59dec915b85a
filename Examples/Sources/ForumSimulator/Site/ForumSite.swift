public import Foundation
import Synchronization

/// A made-up forum site: generated from a seed, alive by a virtual clock, served as real markup.
///
/// Shared: its whole state is one value behind a mutex, and pages are rendered from a copy outside
/// of the lock. Knows no network; `ForumServer` puts it behind a port.
public final class ForumSite: Sendable {
  /// The account that has read, bookmarked and written something when the site starts.
  public static let defaultUserName = "lamp_reader"
  /// An account that has read nothing and is shown times with AM and PM.
  public static let twelveHourUserName = "noon_reader"
  /// An account that is banned: it logs in and is then shown the page of banned users everywhere.
  public static let bannedUserName = "sunken_reader"
  /// An account that reads, but is not allowed to post.
  public static let probationUserName = "grounded_reader"
  /// The accounts that tests log in with, whose names never change on their own.
  static let readerNames: Set<String> = [
    defaultUserName, twelveHourUserName, bannedUserName, probationUserName,
  ]

  /// The password of every account.
  public static let password = "open-sesame"

  private let state: Mutex<SiteState>

  /// Makes the site of a seed and a size.
  public init(seed: UInt64, size: SiteSize = .tiny) {
    state = Mutex(SiteGenerator.makeState(seed: seed, size: size))
  }

  /// Puts the site back to its first state, of the same or of another seed.
  ///
  /// - Parameter seed: The new seed; `nil` keeps the seed.
  public func reset(seed: UInt64? = nil) {
    let (oldSeed, size) = state.withLock { ($0.seed, $0.size) }
    let fresh = SiteGenerator.makeState(seed: seed ?? oldSeed, size: size)
    state.withLock { state in
      let revision = state.revision
      state = fresh
      state.revision = revision + 1
    }
  }

  /// Moves the virtual clock forward; due posts and threads appear.
  ///
  /// - Parameter seconds: Virtual seconds, at most ten years.
  /// - Returns: The new revision.
  @discardableResult
  public func advance(seconds: Int) -> Int {
    state.withLock { state in
      state.advance(seconds: seconds)
      return state.revision
    }
  }

  /// Moves the virtual clock back, as a site does whose clock was wrong; nothing that happened is undone.
  ///
  /// - Parameter seconds: Virtual seconds, at most ten years.
  public func turnBack(seconds: Int) {
    state.withLock { state in
      state.clock = max(state.clock - min(max(seconds, 0), 3_650 * 86_400), 0)
      state.revision += 1
    }
  }

  /// The whole site as JSON: what `load(_:)` takes.
  ///
  /// - Throws: What the encoder throws.
  public func save() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(snapshot())
  }

  /// Puts a saved site in the place of this one.
  ///
  /// - Parameter data: What `save()` gave.
  /// - Throws: `SnapshotError` when the data is no saved site, or one that cannot be; the site stays.
  public func load(_ data: Data) throws {
    let loaded = try SiteSnapshot.state(from: data)
    state.withLock { state in
      let revision = state.revision
      state = loaded
      state.revision = max(revision, loaded.revision) + 1
    }
  }

  /// The name of the account that a request's cookies log in; `nil` for a guest.
  func userName(of request: SiteRequest) -> String? {
    Session(request: request, state: snapshot()).user?.name
  }

  /// The number of changes so far; answers carry it in the header `X-Simulator-Revision`.
  public var revision: Int { state.withLock { $0.revision } }

  /// The virtual time.
  public var now: Date {
    Date(timeIntervalSince1970: Double(state.withLock { $0.clock }))
  }

  /// What is true on the site for a reader.
  ///
  /// - Parameters:
  ///   - userName: The reader; `nil` stands for a guest.
  ///   - posts: Whether threads have their posts, which take seconds on a large site; see ``thread(_:for:)``.
  public func truth(
    for userName: String? = ForumSite.defaultUserName, posts: SiteTruth.Posts = .included
  ) -> SiteTruth {
    let snapshot = snapshot()
    return snapshot.truth(for: userName.flatMap { snapshot.user(named: $0)?.id }, posts: posts)
  }

  /// What is true of a thread for a reader, with its posts.
  ///
  /// - Parameters:
  ///   - id: The thread.
  ///   - userName: The reader; `nil` stands for a guest.
  /// - Returns: `nil` for a thread that the site does not have.
  public func thread(
    _ id: String, for userName: String? = ForumSite.defaultUserName
  ) -> SiteTruth.Thread? {
    let snapshot = snapshot()
    let userID = userName.flatMap { snapshot.user(named: $0)?.id }
    return Int(id).flatMap { snapshot.thread($0) }.map { snapshot.truth(of: $0, for: userID) }
  }

  /// Whether guests get the "must be registered" page for everything but the log-in.
  public func demandLogIn(_ isDemanded: Bool) {
    state.withLock { state in
      state.demandsLogIn = isDemanded
      state.revision += 1
    }
  }

  /// Ends every session of an account; its next request loses the cookies.
  public func endSession(of userName: String = ForumSite.defaultUserName) {
    state.withLock { state in
      guard let id = state.user(named: userName)?.id else { return }
      state.readers[id, default: Reader()].sessionNumber += 1
      state.revision += 1
    }
  }

  /// Lets things happen that a seed decides, at the present virtual time.
  ///
  /// - Parameters:
  ///   - times: How many.
  ///   - seed: Starts the sequence anew; `nil` goes on with it.
  /// - Returns: What happened, in order.
  @discardableResult
  public func happen(times: Int = 1, seed: UInt64? = nil) -> [Happening] {
    state.withLock { state in
      if let seed { state.happenings = SplitMix64(seed: seed) }
      return (0..<max(times, 0)).compactMap { _ in state.happen() }
    }
  }

  /// Lets something of a kind happen, at the present virtual time.
  ///
  /// - Returns: Whether it could happen on the site as it is.
  @discardableResult
  public func happen(_ kind: Happening) -> Bool {
    state.withLock { $0.happen(kind) } != nil
  }

  /// Lets a script begin now; its steps happen as the virtual clock moves. It replaces an earlier one.
  public func run(_ script: SiteScript) {
    state.withLock { $0.script = script.due(from: $0.clock) }
  }

  /// Adds a reply to a thread, with the virtual time as its date.
  public func post(inThread id: String) {
    if let thread = Int(id) { apply([.post(thread: thread)]) }
  }

  /// Sends a private message to the inbox of an account, as a member does.
  ///
  /// - Parameters:
  ///   - userName: The recipient.
  ///   - sender: The sender; `nil` stands for a member of the staff.
  ///   - title: The subject.
  ///   - text: The text as typed.
  public func sendMessage(
    to userName: String = ForumSite.defaultUserName, from sender: String? = nil, title: String,
    text: String
  ) {
    let (senderID, recipientID) = state.withLock { state in
      (
        sender.map { state.user(named: $0)?.id } ?? state.users.last { $0.isStaff }?.id,
        state.user(named: userName)?.id
      )
    }
    guard let senderID, let recipientID else { return }
    let draft = MessageChange.Draft(
      senderID: senderID, recipientID: recipientID, title: title, iconID: 0, text: text)
    apply([.message(.send(draft, keepsCopy: false))])
  }

  /// Bookmarks a thread for the default account.
  public func bookmark(_ id: String) {
    let user = state.withLock { $0.user(named: Self.defaultUserName)?.id }
    if let user, let thread = Int(id) { apply([.bookmark(user: user, thread: thread, colour: 1)]) }
  }

  /// Takes a post away, as a moderator does; the last post of a thread stays.
  public func deletePost(_ id: String) {
    if let post = Int(id) { apply([.deletePost(post)]) }
  }

  /// Takes a thread away with all its posts.
  public func deleteThread(_ id: String) {
    if let thread = Int(id) { apply([.deleteThread(thread)]) }
  }

  /// Closes a thread: it takes no more replies.
  public func closeThread(_ id: String) {
    if let thread = Int(id) { apply([.setClosed(thread: thread, true)]) }
  }

  /// Puts a thread in the archives, which only accounts with that upgrade read.
  public func archiveThread(_ id: String) {
    if let thread = Int(id) { apply([.archive(thread: thread)]) }
  }

  /// Shows the posts of a forum without index and with the author below, as one real forum does.
  public func usePlainLayout(inForum id: String, _ isPlain: Bool = true) {
    if let forum = Int(id) { apply([.site(.setPlainLayout(forum: forum, isPlain))]) }
  }

  /// Gives an account another name.
  public func renameUser(_ id: String, to name: String) {
    if let user = Int(id) { apply([.site(.renameUser(user, name))]) }
  }

  /// Gives a thread another title.
  public func renameThread(_ id: String, to title: String) {
    if let thread = Int(id) { apply([.rename(thread: thread, title: title)]) }
  }

  /// Moves a thread to another forum; to a group of forums it does not move.
  public func moveThread(_ id: String, toForum forum: String) {
    if let thread = Int(id), let forum = Int(forum) { apply([.move(thread: thread, forum: forum)]) }
  }

  /// The answer to a GET request, without any effect: no read marker moves.
  ///
  /// - Parameters:
  ///   - path: The path, such as `showthread.php`; a leading slash makes no difference.
  ///   - query: The decoded query.
  ///   - user: The name of the logged-in account; `nil` stands for a guest.
  ///   - markup: The revision of the markup.
  public func page(
    path: String, query: [String: String] = [:], user: String? = ForumSite.defaultUserName,
    markup: Markup = .revision2025
  ) -> SiteResponse {
    let snapshot = snapshot()
    let viewer = user.flatMap { snapshot.user(named: $0) }
    let request = SiteRequest(path: path, query: query)
    return PageRouter(state: snapshot, viewer: viewer, markup: markup).answer(to: request).response
  }

  /// The answer to a request, with its effects: read markers, bookmarks, votes, posts.
  ///
  /// The reader is the one named by the request's cookies.
  public func respond(
    to request: SiteRequest, markup: Markup = .revision2025
  ) -> SiteResponse {
    if request.method == "POST" {
      // The answer names the ids that the changes make, so both happen under one lock.
      return state.withLock { state in
        let (response, changes) = Self.answer(to: request, state: state, markup: markup)
        for change in changes { state.apply(change) }
        return response
      }
    }
    let (response, changes) = Self.answer(to: request, state: snapshot(), markup: markup)
    apply(changes)
    return response
  }

  private static func answer(
    to request: SiteRequest, state: SiteState, markup: Markup
  ) -> (response: SiteResponse, changes: [SiteChange]) {
    let session = Session(request: request, state: state)
    let router = PageRouter(state: state, viewer: session.user, markup: markup)
    let answer = router.answer(to: request)
    var response = answer.response
    if session.isStale, !response.setsCookies { response.add(Session.removal) }
    return (response, answer.changes)
  }

  private func apply(_ changes: [SiteChange]) {
    guard !changes.isEmpty else { return }
    state.withLock { state in
      for change in changes { state.apply(change) }
    }
  }

  private func snapshot() -> SiteState {
    state.withLock { $0 }
  }
}
