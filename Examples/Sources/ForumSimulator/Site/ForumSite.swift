public import Foundation
import Synchronization

/// A generated forum site: created from a seed, driven by a virtual clock, and served as realistic markup.
///
/// Shared: the whole state is one value behind a mutex, and pages are rendered from a copy outside the lock. The site does not
/// use the network; `ForumServer` serves it on a port.
public final class ForumSite: Sendable {
  /// An account that has read, bookmarked and written content when the site starts.
  public static let defaultUserName = "lamp_reader"
  /// An account that has read nothing and sees times with AM and PM.
  public static let twelveHourUserName = "noon_reader"
  /// A banned account, which can log in and then sees the page for banned users everywhere.
  public static let bannedUserName = "sunken_reader"
  /// An account that can read but may not post.
  public static let probationUserName = "grounded_reader"
  /// The accounts that tests log in with; the simulator never renames them by itself.
  static let readerNames: Set<String> = [
    defaultUserName, twelveHourUserName, bannedUserName, probationUserName,
  ]

  /// The password of every account.
  public static let password = "open-sesame"

  private let state: Mutex<SiteState>

  /// Creates the site of a seed and a size.
  public init(seed: UInt64, size: SiteSize = .tiny) {
    state = Mutex(SiteGenerator.makeState(seed: seed, size: size))
  }

  /// Resets the site to its initial state, with the same or another seed.
  ///
  /// - Parameter seed: The new seed; `nil` to keep the current seed.
  public func reset(seed: UInt64? = nil) {
    let (oldSeed, size) = state.withLock { ($0.seed, $0.size) }
    let fresh = SiteGenerator.makeState(seed: seed ?? oldSeed, size: size)
    state.withLock { state in
      let revision = state.revision
      state = fresh
      state.revision = revision + 1
    }
  }

  /// Moves the virtual clock forward and adds the posts and threads that are due.
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

  /// Moves the virtual clock back, as when a site corrects its clock; past events are not undone.
  ///
  /// - Parameter seconds: Virtual seconds, at most ten years.
  public func turnBack(seconds: Int) {
    state.withLock { state in
      state.clock = max(state.clock - min(max(seconds, 0), 3_650 * 86_400), 0)
      state.revision += 1
    }
  }

  /// Returns the whole site as JSON, for `load(_:)`.
  ///
  /// - Throws: Any error of the encoder.
  public func save() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(snapshot())
  }

  /// Replaces this site with a saved site.
  ///
  /// - Parameter data: The result of `save()`.
  /// - Throws: `SnapshotError` if the data is not a saved site or describes an invalid site; the current site then remains.
  public func load(_ data: Data) throws {
    let loaded = try SiteSnapshot.state(from: data)
    state.withLock { state in
      let revision = state.revision
      state = loaded
      state.revision = max(revision, loaded.revision) + 1
    }
  }

  /// Returns the name of the account that a request's cookies log in; `nil` for a guest.
  func userName(of request: SiteRequest) -> String? {
    Session(request: request, state: snapshot()).user?.name
  }

  /// The number of changes so far; responses contain it in the header `X-Simulator-Revision`.
  public var revision: Int { state.withLock { $0.revision } }

  /// The virtual time.
  public var now: Date {
    Date(timeIntervalSince1970: Double(state.withLock { $0.clock }))
  }

  /// Returns the true contents of the site for a reader.
  ///
  /// - Parameters:
  ///   - userName: The reader; `nil` for a guest.
  ///   - posts: Whether threads include their posts, which takes seconds on a large site; see ``thread(_:for:)``.
  public func truth(
    for userName: String? = ForumSite.defaultUserName, posts: SiteTruth.Posts = .included
  ) -> SiteTruth {
    let snapshot = snapshot()
    return snapshot.truth(for: userName.flatMap { snapshot.user(named: $0)?.id }, posts: posts)
  }

  /// Returns the true contents of a thread for a reader, with its posts.
  ///
  /// - Parameters:
  ///   - id: The thread.
  ///   - userName: The reader; `nil` for a guest.
  /// - Returns: The thread; `nil` if the site does not have it.
  public func thread(
    _ id: String, for userName: String? = ForumSite.defaultUserName
  ) -> SiteTruth.Thread? {
    let snapshot = snapshot()
    let userID = userName.flatMap { snapshot.user(named: $0)?.id }
    return Int(id).flatMap { snapshot.thread($0) }.map { snapshot.truth(of: $0, for: userID) }
  }

  /// Sets whether guests receive the "must be registered" page for every page except the login.
  public func demandLogIn(_ isDemanded: Bool) {
    state.withLock { state in
      state.demandsLogIn = isDemanded
      state.revision += 1
    }
  }

  /// Ends every session of an account; the response to its next request removes the cookies.
  public func endSession(of userName: String = ForumSite.defaultUserName) {
    state.withLock { state in
      guard let id = state.user(named: userName)?.id else { return }
      state.readers[id, default: Reader()].sessionNumber += 1
      state.revision += 1
    }
  }

  /// Applies random events, determined by a seed, at the current virtual time.
  ///
  /// - Parameters:
  ///   - times: The number of events.
  ///   - seed: The seed of a new sequence; `nil` to continue the current sequence.
  /// - Returns: The events that occurred, in order.
  @discardableResult
  public func happen(times: Int = 1, seed: UInt64? = nil) -> [Happening] {
    state.withLock { state in
      if let seed { state.happenings = SplitMix64(seed: seed) }
      return (0..<max(times, 0)).compactMap { _ in state.happen() }
    }
  }

  /// Applies an event of a kind at the current virtual time.
  ///
  /// - Returns: `true` if the event occurred; `false` if it cannot occur in the site's current state.
  @discardableResult
  public func happen(_ kind: Happening) -> Bool {
    state.withLock { $0.happen(kind) } != nil
  }

  /// Starts a script, whose steps run as the virtual clock advances. The script replaces any earlier script.
  public func run(_ script: SiteScript) {
    state.withLock { $0.script = script.due(from: $0.clock) }
  }

  /// Adds a reply to a thread, dated with the virtual time.
  public func post(inThread id: String) {
    if let thread = Int(id) { apply([.post(thread: thread)]) }
  }

  /// Sends a private message to the inbox of an account, as from a member.
  ///
  /// - Parameters:
  ///   - userName: The recipient.
  ///   - sender: The sender; `nil` for a member of the staff.
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

  /// Deletes a post, as a moderator does; the last post of a thread remains.
  public func deletePost(_ id: String) {
    if let post = Int(id) { apply([.deletePost(post)]) }
  }

  /// Deletes a thread with all of its posts.
  public func deleteThread(_ id: String) {
    if let thread = Int(id) { apply([.deleteThread(thread)]) }
  }

  /// Closes a thread, which then accepts no more replies.
  public func closeThread(_ id: String) {
    if let thread = Int(id) { apply([.setClosed(thread: thread, true)]) }
  }

  /// Moves a thread to the archives, which only accounts with the archives upgrade can read.
  public func archiveThread(_ id: String) {
    if let thread = Int(id) { apply([.archive(thread: thread)]) }
  }

  /// Shows the posts of a forum without an index and with the author below, as one forum of the real site does.
  public func usePlainLayout(inForum id: String, _ isPlain: Bool = true) {
    if let forum = Int(id) { apply([.site(.setPlainLayout(forum: forum, isPlain))]) }
  }

  /// Renames an account.
  public func renameUser(_ id: String, to name: String) {
    if let user = Int(id) { apply([.site(.renameUser(user, name))]) }
  }

  /// Renames a thread.
  public func renameThread(_ id: String, to title: String) {
    if let thread = Int(id) { apply([.rename(thread: thread, title: title)]) }
  }

  /// Moves a thread to another forum; has no effect if the target is a group of forums.
  public func moveThread(_ id: String, toForum forum: String) {
    if let thread = Int(id), let forum = Int(forum) { apply([.move(thread: thread, forum: forum)]) }
  }

  /// Returns the response to a GET request without any effect: no read marker moves.
  ///
  /// - Parameters:
  ///   - path: The path, such as `showthread.php`, with or without a leading slash.
  ///   - query: The decoded query.
  ///   - user: The name of the logged-in account; `nil` for a guest.
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

  /// Returns the response to a request and applies its effects: read markers, bookmarks, votes and posts.
  ///
  /// The request's cookies identify the reader.
  public func respond(
    to request: SiteRequest, markup: Markup = .revision2025
  ) -> SiteResponse {
    if request.method == "POST" {
      // The response names ids that the changes create, so both steps run under one lock.
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
