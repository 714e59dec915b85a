import CoreData
import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit
import StoreSharing

/// Sends each draft to the site once.
///
/// A draft that the reader has submitted waits while the site cannot be reached. The store records each step before the draft is sent. If
/// the program exits in between, it later knows that the site may have the post, and looks for it on the site before it sends the draft
/// again.
public actor Outbox {
  private let personal: PersonalStore
  private let forms: PostForms
  private let arrivals: Arrivals
  private var isSending = false

  init(marks: ReaderMarks, fetcher: PageFetcher) {
    personal = marks.personal
    forms = PostForms(fetcher: fetcher)
    arrivals = Arrivals(marks: marks, forms: forms)
  }

  // MARK: Texts from the site

  /// Returns the text of a post as its author typed it.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, `ClientError`, or `PageError`.
  public func text(ofPost id: String, inThread threadID: String) async throws -> String {
    PostForms.body(of: try await forms.form(for: .edit(ofPost: id, inThread: threadID)))
  }

  /// Returns the initial text of a reply that quotes a post.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, `ClientError`, or `PageError`.
  public func quote(ofPost id: String) async throws -> String {
    try await forms.quote(ofPost: id)
  }

  /// Returns the icons for a new thread. Asks the site only once, so that a form opens quickly even if the site cannot be reached.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, `ClientError`, or `PageError`.
  public func icons(ofForum id: String) async throws -> IconChoices {
    IconChoices(try await forms.withoutRetries.form(for: .thread(inForum: id)))
  }

  /// Returns a draft as the site would show it.
  ///
  /// - Returns: The body as markup, as the site sent it, without sanitizing.
  /// - Throws: `ForumErrorPage` with the site's refusal, `ClientError`, or `PageError`.
  public func preview(_ draft: DraftRow) async throws -> String {
    try await forms.preview(draft.target, draft.text)
  }

  // MARK: Sending

  /// Submits a draft, and sends it if the site can be reached.
  ///
  /// - Parameters:
  ///   - id: The draft's id.
  ///   - overwrites: Whether the draft's text replaces a post that has changed on the site.
  /// - Returns: The result. A draft that has arrived is deleted.
  /// - Throws: `WritingError` if the draft has no text, no longer exists, or is on its way to the site; or any error from the store.
  public func send(_ id: String, overwriting overwrites: Bool = false) async throws -> Delivery {
    try await personal.changeDraft(id) { _, draft in
      let row = try DraftRow(draft)
      guard row.text.body.contains(where: { !$0.isWhitespace }) else {
        throw WritingError(.empty, "The draft has no text yet.", stored: row)
      }
      if row.target.kind == .thread, !row.text.subject.contains(where: { !$0.isWhitespace }) {
        throw WritingError(.empty, "The new thread has no title yet.", stored: row)
      }
      guard row.state != .sending, row.state != .unconfirmed else {
        throw WritingError(.onItsWay, "The draft is already being sent.", stored: row)
      }
      if overwrites, let siteBody = row.siteBody {
        draft.originalBody = siteBody
        draft.siteBody = nil
      }
      draft.state = DraftState.waiting.rawValue
      draft.problem = nil
      draft.knownIDs = nil
    }
    try await sendWaiting(only: id)
    guard let row = try await personal.draft(id) else { return lastArrival(id) }
    return switch row.state {
    case .conflict: .conflict
    case .refused: .refused(row.problem ?? "The site refused the draft.")
    case .unconfirmed, .sending: .unconfirmed(row.problem ?? "The site's response was lost.")
    case .waiting, .writing: .waiting(row.problem ?? "Another program is sending the draft.")
    }
  }

  /// Sends the waiting drafts, and looks for drafts that may have arrived. One program sends at a time; the method does nothing in others.
  ///
  /// - Throws: Any error from the store of drafts.
  public func sendWaiting() async throws { try await sendWaiting(only: nil) }

  private func sendWaiting(only id: String?) async throws {
    // A call during another one leaves its draft waiting, and the other call sends it too.
    if isSending { return }
    guard let lock = SendingLock(of: personal.file) else { return }
    isSending = true
    defer { isSending = false }
    var tried: Set<String> = []
    while let draft = try await next(besides: tried, preferring: id) {
      tried.insert(draft.id)
      do {
        guard try await deliver(draft) else { break }
      } catch let error as WritingError where error.code == .missing {
        // The reader has discarded the draft.
      }
    }
    withExtendedLifetime(lock) {}
  }

  private func next(besides tried: Set<String>, preferring id: String?) async throws -> DraftRow? {
    let rows = try await personal.performBackgroundTask { context in
      // Drafts that this version cannot read are left for the newer version that wrote them.
      try context.fetch(DraftDesk.request()).compactMap { try? DraftRow($0) }
    }
    let open = rows.filter { Self.openStates.contains($0.state) && !tried.contains($0.id) }
    return open.first { $0.id == id } ?? open.last
  }

  /// The states of drafts that the outbox sends or looks for.
  private static let openStates: [DraftState] = [.waiting, .sending, .unconfirmed]

  /// - Returns: `false` if other drafts cannot be sent either.
  private func deliver(_ draft: DraftRow) async throws -> Bool {
    do {
      if draft.mayBeSent { try await confirm(draft) } else { try await post(draft) }
      return true
    } catch let error
      where error is ClientError || error is ForumErrorPage || error is PageError
      || error is CancellationError
    {
      return try await note(error, on: draft.id)
    } catch let error as WritingError where error.code == .form {
      try await set(draft.id, .refused, error.message)
      return true
    }
  }

  /// Records why a draft has not arrived. A draft that may have been sent stays unconfirmed until its state is known.
  ///
  /// - Returns: `false` if other drafts cannot be sent either.
  private func note(_ error: any Error, on id: String) async throws -> Bool {
    guard let draft = try await personal.draft(id) else { return true }
    if let refusal = error as? ForumErrorPage, Self.isRefusal(refusal) {
      let sentence = "The site says: \(refusal)"
      try await set(
        id, .refused,
        draft.mayBeSent
          ? "The site's response was lost, so the site may or may not have the post. Check the site before you send the draft again. "
            + sentence : sentence)
      return true
    }
    try await set(id, draft.mayBeSent ? .unconfirmed : .waiting, Self.sentence(for: error))
    if case .everything = FailureScope(error) { return false }
    // Without a login, the site accepts no draft.
    return (error as? ForumErrorPage)?.kind != .mustRegister
  }

  /// Marks a draft as being sent. From then on, the reader can neither change nor withdraw it.
  ///
  /// - Returns: The draft with its current text, or nil if the reader has withdrawn it.
  private func claim(_ id: String) async throws -> DraftRow? {
    try await personal.changeDraft(id) { _, draft in
      guard try Self.openStates.contains(DraftRow(draft).state) else { return nil }
      draft.state = DraftState.sending.rawValue
      draft.problem = nil
      return try DraftRow(draft)
    }
  }

  /// Sends one draft, for the first time or after the reader has submitted it again.
  private func post(_ chosen: DraftRow) async throws {
    guard let draft = try await claim(chosen.id) else { return }
    let form = try await forms.form(for: draft.target)
    if draft.target.kind == .edit {
      let present = PostForms.body(of: form)
      if Arrivals.isSame(present, draft.text.body) {
        return try await finish(draft, draft.target.threadID, draft.target.id)
      }
      if let original = draft.originalBody, !Arrivals.isSame(present, original) {
        return try await change(draft.id) { stored in
          stored.siteBody = present
          stored.state = DraftState.conflict.rawValue
          stored.problem = "The text of the post has changed on the site."
        }
      }
    }
    let known = try await arrivals.idsBefore(draft.target)
    try await change(draft.id) { $0.knownIDs = known.isEmpty ? "-" : known.joined(separator: " ") }
    let answer: PostForms.Answer
    do {
      answer = try await forms.post(form, draft.text)
    } catch {
      // The site certainly does not have the post.
      try await change(draft.id) { $0.knownIDs = nil }
      throw error
    }
    switch answer {
    case .arrived(let threadID, let postID):
      try await finish(
        draft, threadID ?? draft.target.threadID,
        postID ?? (draft.target.kind == .edit ? draft.target.id : nil))
    case .unclear(let problem):
      try await set(draft.id, .unconfirmed, problem)
      if let sent = try await personal.draft(draft.id) { try await confirm(sent) }
    }
  }

  /// Checks on the site whether an unconfirmed draft has arrived.
  private func confirm(_ draft: DraftRow) async throws {
    switch try await arrivals.find(draft) {
    case .some(let found): try await finish(draft, found.threadID, found.postID)
    case nil where draft.target.kind == .edit:
      // Sending an edit again has no other effect than the intended one.
      try await change(draft.id) { stored in
        stored.state = DraftState.waiting.rawValue
        stored.problem = "The change has not reached the site yet."
        stored.knownIDs = nil
      }
    case nil:
      try await set(
        draft.id, .refused,
        "The site's response was lost, and the site does not have the post. You can send the draft again."
      )
    }
  }

  /// The most recently arrived drafts and their locations.
  private var arrived: [(id: String, delivery: Delivery)] = []

  private func lastArrival(_ id: String) -> Delivery {
    arrived.last { $0.id == id }?.delivery ?? .arrived(threadID: nil, postID: nil)
  }

  /// Deletes the draft, and imports the new post into the store.
  private func finish(_ draft: DraftRow, _ threadID: String?, _ postID: String?) async throws {
    arrived = arrived.suffix(20) + [(draft.id, .arrived(threadID: threadID, postID: postID))]
    try await personal.performBackgroundTask { context in
      for stored in try context.fetch(PersonalStore.request(Draft.self, "draftID", draft.id)) {
        context.delete(stored)
      }
    }
    await arrivals.show(draft.target, threadID, postID)
  }

  // MARK: The stored draft

  private func set(_ id: String, _ state: DraftState, _ problem: String?) async throws {
    try await change(id) { draft in
      draft.state = state.rawValue
      draft.problem = problem
    }
  }

  private func change(
    _ id: String, _ change: @escaping @Sendable (Draft) throws -> Void
  ) async throws {
    try await personal.changeDraft(id) { try change($1) }
  }

  /// Returns whether the site would refuse the draft again later.
  private static func isRefusal(_ error: ForumErrorPage) -> Bool {
    error.kind != .databaseUnavailable && error.kind != .mustRegister
  }

  private static func sentence(for error: any Error) -> String {
    switch error {
    case let error as ForumErrorPage where error.kind == .mustRegister:
      "You are not logged in. Log in to send the draft."
    case let error as ForumErrorPage: "The site says: \(error)"
    case let error as ClientError: error.message
    case is CancellationError: "The request was canceled."
    default: "The site responded with an unexpected page."
    }
  }
}
