import ForumClient
import ForumHTML
import ForumScraping

/// Finds posts that have arrived on the site by comparing with the ids before.
struct Arrivals: Sendable {
  let marks: ReaderMarks
  let forms: PostForms
  /// The maximum number of pages to read, starting at the last one. More posts do not arrive while a form is sent.
  private static let pageLimit = 20

  /// Returns the ids at a draft's destination: the last posts of a thread, or the first threads of a forum.
  func idsBefore(_ target: DraftTarget) async throws -> [String] {
    switch target.kind {
    case .reply: try await posts(ofThread: target.id, ("goto", "lastpost")).posts.map(\.id)
    case .thread: try await threads(ofForum: target.id).threads.map(\.id)
    case .edit: []
    }
  }

  /// Returns where a draft is on the site, or nil if the site does not have it.
  func find(_ draft: DraftRow) async throws -> (threadID: String?, postID: String?)? {
    switch draft.target.kind {
    case .reply: try await findReply(draft)
    case .thread: try await findThread(draft)
    case .edit: try await findEdit(draft)
    }
  }

  private func findReply(_ draft: DraftRow) async throws -> (threadID: String?, postID: String?)? {
    let threadID = draft.target.id
    let reader = marks.store.readerID
    var page = try await posts(ofThread: threadID, ("goto", "lastpost"))
    for _ in 0..<Self.pageLimit {
      for post in page.posts.reversed() where !draft.knownIDs.contains(post.id) {
        guard post.isEditable, reader == nil || post.author.userID == reader else { continue }
        let form = try await forms.form(for: .edit(ofPost: post.id, inThread: threadID))
        if Self.isSame(PostForms.body(of: form), draft.text.body) { return (threadID, post.id) }
      }
      let reachesBefore = page.posts.contains { draft.knownIDs.contains($0.id) }
      if reachesBefore || page.pages.page <= 1 { return nil }
      page = try await posts(ofThread: threadID, ("pagenumber", "\(page.pages.page - 1)"))
    }
    return nil
  }

  private func findThread(_ draft: DraftRow) async throws -> (threadID: String?, postID: String?)? {
    let reader = marks.store.readerID
    let list = try await threads(ofForum: draft.target.id)
    let own = list.threads.first { thread in
      !draft.knownIDs.contains(thread.id) && (reader == nil || thread.authorID == reader)
        && Self.isSame(thread.title, draft.text.subject)
    }
    return own.map { ($0.id, nil) }
  }

  private func findEdit(_ draft: DraftRow) async throws -> (threadID: String?, postID: String?)? {
    let form = try await forms.form(for: draft.target)
    let isThere = Self.isSame(PostForms.body(of: form), draft.text.body)
    return isThere ? (draft.target.threadID, draft.target.id) : nil
  }

  /// Fetches and stores the page with the new post. If that fails, the next sync brings it.
  func show(_ target: DraftTarget, _ threadID: String?, _ postID: String?) async {
    if let postID, target.kind == .edit {
      _ = try? await storing("showthread.php", [("goto", "post"), ("postid", postID)])
        .expectThread()
    } else if let threadID {
      _ = try? await posts(ofThread: threadID, ("goto", "lastpost"))
    }
    if target.kind == .thread { _ = try? await threads(ofForum: target.id) }
  }

  private func posts(
    ofThread id: String, _ place: (String, String)
  ) async throws -> ThreadPage {
    try await storing("showthread.php", [("threadid", id), place]).expectThread()
  }

  private func threads(ofForum id: String) async throws -> ThreadListPage {
    try await storing("forumdisplay.php", [("forumid", id), ("pagenumber", "1")])
      .expectThreadList()
  }

  /// Fetches a page without moving the reader's mark, and stores it so that it is shown.
  private func storing(_ path: String, _ query: [(String, String)]) async throws -> ScrapedPage {
    let reading = try await forms.fetcher.page(path, query + PageFetcher.leavingMarks)
    // The caller handles error pages. A page that cannot be stored is still returned.
    if case .error = reading.page { return reading.page }
    _ = try? await marks.importPage(
      reading.page, refreshed: forms.fetcher.clock.now(), requestedAfter: reading.requestedAt)
    return reading.page
  }

  /// Returns whether two texts are equal to the site, which changes line endings and drops trailing whitespace.
  static func isSame(_ one: String, _ other: String) -> Bool {
    normalized(one) == normalized(other)
  }

  private static func normalized(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").trimmingWhitespace
  }
}
