import AwfulCore
import CoreData
import ForumClient
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Testing

/// A draft is posted once, regardless of failures.
@Suite("Outbox", .serialized)
struct OutboxTests {
  /// A reader who is logged in, with a synced store and an open thread.
  private struct Reader {
    let trial: SyncTrial
    let site: SiteConnection
    let desk: DraftDesk
    let thread: SiteTruth.Thread

    var outbox: Outbox { site.outbox }

    /// The posts on the site that the reader has typed.
    func posts(_ text: String) -> [SiteTruth.Post] {
      trial.site.truth().typedPosts(by: ForumSite.defaultUserName, containing: text)
    }

    func reply(_ text: String) async throws -> DraftRow {
      try #require(try await desk.begin(.reply(toThread: thread.id), DraftText(body: text)))
    }

    func state(_ draft: DraftRow) async throws -> DraftState {
      try await desk.draft(draft.id).state
    }
  }

  private func run(_ body: (Reader) async throws -> Void) async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let threads = trial.site.truth().threads.filter { !$0.isClosed && $0.posts.count > 40 }
      try await body(
        Reader(
          trial: trial, site: trial.connection(), desk: DraftDesk(trial.personal),
          thread: try #require(threads.first)))
    }
  }

  @Test("a reply, a new thread and a change arrive unchanged, and are stored at once")
  func arriving() async throws {
    try await run { reader in
      let text = "First line\nsecond ☃ \"quoted\" [b]bold[/b] & <i>"
      let reply = try await reader.reply(text)
      let post = try await reader.outbox.send(reply.id)
      let posted = try #require(reader.posts("First line").first)
      #expect(posted.typed == text)
      #expect(post == .arrived(threadID: reader.thread.id, postID: posted.id))
      #expect(try await reader.desk.drafts().isEmpty)
      let lists = ForumLists(reader.trial.store)
      #expect(try lists.posts(threadID: reader.thread.id).last?.postID == posted.id)

      let begun = try await reader.desk.begin(
        .thread(inForum: reader.thread.forumID), DraftText(subject: "A new thread", body: "Hello"))
      let delivery = try await reader.outbox.send(try #require(begun).id)
      let thread = try #require(
        reader.trial.site.truth().threads.first { $0.title == "A new thread" })
      #expect(delivery == .arrived(threadID: thread.id, postID: nil))
      #expect(try lists.threads(forumID: thread.forumID).contains { $0.threadID == thread.id })

      let old = try await reader.outbox.text(ofPost: posted.id, inThread: reader.thread.id)
      #expect(old == text)
      let changed = try await reader.desk.begin(
        .edit(ofPost: posted.id, inThread: reader.thread.id), DraftText(body: "Changed"),
        original: old)
      #expect(
        try await reader.outbox.send(try #require(changed).id)
          == .arrived(threadID: reader.thread.id, postID: posted.id))
      #expect(reader.posts("Changed").map(\.id) == [posted.id])
    }
  }

  @Test("drafts written offline wait, and are posted once when the site is reachable")
  func waiting() async throws {
    try await run { reader in
      await reader.trial.server.stop()
      let draft = try await reader.reply("Written offline")
      #expect(try await reader.outbox.send(draft.id) == .waiting("The site cannot be reached."))
      #expect(try await reader.state(draft) == .waiting)
      try await reader.outbox.sendWaiting()
      #expect(reader.posts("Written offline").isEmpty)
    }
    try await run { reader in
      // Refused connections differ from lost answers: a form that was not sent is resent.
      reader.trial.server.addFault(Fault(.databaseUnavailable, path: "newreply.php", times: 1))
      let draft = try await reader.reply("Later")
      guard case .waiting = try await reader.outbox.send(draft.id) else {
        Issue.record("The draft does not wait.")
        return
      }
      try await reader.outbox.sendWaiting()
      #expect(reader.posts("Later").count == 1)
      #expect(try await reader.desk.drafts().isEmpty)
    }
  }

  @Test(
    "a post whose answer is lost is searched for before it is resent, and exists once",
    arguments: [Fault.Kind.cutBody, .emptyBody, .captivePortal, .jsonInstead, .wrongContentType])
  func lostAnswer(_ kind: Fault.Kind) async throws {
    try await run { reader in
      // The form itself is the first request of the path; the post is the second.
      let fault = Fault(kind, path: "newreply.php", after: 1, times: 1)
      reader.trial.server.addFault(fault)
      let draft = try await reader.reply("Once \(kind.rawValue)")
      let delivery = try await reader.outbox.send(draft.id)
      let posts = reader.posts("Once \(kind.rawValue)")
      if posts.isEmpty {
        // The fault occurred before the site received the form.
        guard case .refused = delivery else {
          Issue.record("\(delivery)")
          return
        }
        #expect(try await reader.state(draft) == .refused)
        _ = try await reader.outbox.send(draft.id)
      } else {
        #expect(delivery == .arrived(threadID: reader.thread.id, postID: posts[0].id))
      }
      #expect(reader.posts("Once \(kind.rawValue)").count == 1)
      #expect(try await reader.desk.drafts().isEmpty)
    }
  }

  @Test("while the site is unreachable, a post whose answer was lost stays unconfirmed")
  func unconfirmed() async throws {
    try await run { reader in
      reader.trial.server.addFault(Fault(.cutBody, path: "newreply.php", after: 1, times: 1))
      // Two requests fetch the last page; the first redirects to the second.
      reader.trial.server.addFault(Fault(.status, path: "showthread.php", after: 2, amount: 503))
      let draft = try await reader.reply("Unsure")
      guard case .unconfirmed = try await reader.outbox.send(draft.id) else {
        Issue.record("The draft is not unconfirmed.")
        return
      }
      #expect(reader.posts("Unsure").count == 1)
      let error = await #expect(throws: WritingError.self) {
        try await reader.outbox.send(draft.id)
      }
      #expect(error?.code == .onItsWay)
      try await reader.outbox.sendWaiting()
      #expect(try await reader.state(draft) == .unconfirmed)
      reader.trial.server.clearFaults()
      try await reader.outbox.sendWaiting()
      #expect(reader.posts("Unsure").count == 1)
      #expect(try await reader.desk.drafts().isEmpty)
    }
  }

  @Test("a program that ended during sending does not resend a post that has arrived")
  func interrupted() async throws {
    try await run { reader in
      let known = reader.thread.posts.suffix(reader.thread.posts.count % 40).map(\.id)
      for (text, isPosted) in [("Arrived before the end", true), ("Not sent yet", false)] {
        let draft = try await reader.reply(text)
        if isPosted {
          let copy = try await reader.reply(text)
          _ = try await reader.outbox.send(copy.id)
        }
        // The store's state after a kill between sending the form and receiving its answer.
        try await reader.trial.personal.performBackgroundTask { context in
          for stored in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft")) {
            stored.state = DraftState.sending.rawValue
            stored.knownIDs = known.joined(separator: " ")
          }
        }
        try await reader.site.outbox.sendWaiting()
        #expect(reader.posts(text).count == (isPosted ? 1 : 0))
        if isPosted {
          #expect(try await reader.desk.drafts().isEmpty)
        } else {
          // The reader decides whether it is sent again.
          #expect(try await reader.state(draft) == .refused)
          _ = try await reader.outbox.send(draft.id)
          #expect(reader.posts(text).count == 1)
        }
      }
    }
  }

  @Test("an older post with the same text is not confused with a post whose answer was lost")
  func sameText() async throws {
    try await run { reader in
      let first = try await reader.reply("Same text")
      _ = try await reader.outbox.send(first.id)
      reader.trial.server.addFault(
        Fault(.databaseUnavailable, path: "newreply.php", after: 1, times: 1))
      let second = try await reader.reply("Same text")
      guard case .refused = try await reader.outbox.send(second.id) else {
        Issue.record("The older post was taken for the new one.")
        return
      }
      _ = try await reader.outbox.send(second.id)
      #expect(reader.posts("Same text").count == 2)
    }
  }

  @Test("a post that changed on the site in the meantime is a conflict, which the reader resolves")
  func conflict() async throws {
    try await run { reader in
      let first = try await reader.reply("As it was")
      _ = try await reader.outbox.send(first.id)
      let post = try #require(reader.posts("As it was").first)
      func change(_ text: String, original: String) async throws -> DraftRow {
        try #require(
          try await reader.desk.begin(
            .edit(ofPost: post.id, inThread: reader.thread.id), DraftText(body: text),
            original: original))
      }
      let other = try await change("By another program", original: "As it was")
      let mine = try await change("By me", original: "As it was")
      _ = try await reader.outbox.send(other.id)
      #expect(try await reader.outbox.send(mine.id) == .conflict)
      let stored = try await reader.desk.draft(mine.id)
      #expect(stored.state == .conflict && stored.siteBody == "By another program")
      #expect(reader.posts("By me").isEmpty)
      // Resending it without a decision finds the same conflict.
      #expect(try await reader.outbox.send(mine.id) == .conflict)
      _ = try await reader.outbox.send(mine.id, overwriting: true)
      #expect(reader.posts("By me").map(\.id) == [post.id])
      #expect(try await reader.desk.drafts().isEmpty)
    }
  }

  @Test("a rejected post stays a draft, with the site's message")
  func refusals() async throws {
    try await run { reader in
      reader.trial.site.closeThread(reader.thread.id)
      let draft = try await reader.reply("Too late")
      guard case .refused(let sentence) = try await reader.outbox.send(draft.id) else {
        Issue.record("A closed thread takes a post.")
        return
      }
      #expect(sentence.contains("closed"))
      #expect(try await reader.desk.draft(for: draft.target)?.text.body == "Too late")
      for text in ["   \n", ""] {
        let empty = try await reader.desk.begin(
          .thread(inForum: reader.thread.forumID), DraftText(subject: "Title", body: text))
        let error = await #expect(throws: WritingError.self) {
          try await reader.outbox.send(try #require(empty).id)
        }
        #expect(error?.code == .empty)
      }
      reader.trial.site.endSession()
      let guest = try #require(
        try await reader.desk.begin(
          .thread(inForum: reader.thread.forumID), DraftText(subject: "As a guest", body: "Text")))
      guard case .waiting(let reason) = try await reader.outbox.send(guest.id) else {
        Issue.record("A guest's thread does not wait.")
        return
      }
      #expect(reason.contains("Log in"))
    }
  }

  /// Stores the state of a draft that the reader has submitted while the site could not be reached.
  private func submitOffline(_ draft: DraftRow, _ reader: Reader) async throws {
    try await reader.trial.personal.performBackgroundTask { context in
      for stored in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft"))
      where stored.draftID == draft.id {
        stored.state = DraftState.waiting.rawValue
      }
    }
  }

  /// Changes the waiting drafts each time before the outbox stores that a draft is being sent.
  private func changing(
    _ personal: PersonalStore, _ change: @escaping @Sendable (Draft) -> Void
  ) -> any NSObjectProtocol {
    NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave, object: nil, queue: nil
    ) { notification in
      guard let context = notification.object as? NSManagedObjectContext,
        context.persistentStoreCoordinator === personal.container.persistentStoreCoordinator,
        context.updatedObjects.contains(where: { object in
          (object as? Draft).map { $0.state == DraftState.sending.rawValue } ?? false
        })
      else { return }
      // The expectations of the test fail if the save does.
      try? personal.performBatchOperation { context in
        for stored in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft"))
        where stored.state == DraftState.waiting.rawValue {
          change(stored)
        }
      }
    }
  }

  @Test("a draft that is withdrawn or changed while the outbox sends is not sent in its old form")
  func changedWhileSending() async throws {
    try await run { reader in
      let withdrawn = try await reader.reply("Withdrawn")
      try await submitOffline(withdrawn, reader)
      var observer = changing(reader.trial.personal) { $0.state = DraftState.writing.rawValue }
      try await reader.outbox.sendWaiting()
      NotificationCenter.default.removeObserver(observer)
      #expect(reader.posts("Withdrawn").isEmpty)
      #expect(try await reader.state(withdrawn) == .writing)
      try await reader.desk.discard(withdrawn.id)

      try await submitOffline(try await reader.reply("As submitted"), reader)
      observer = changing(reader.trial.personal) { stored in
        if stored.body != "As changed" { stored.body = "As changed" }
      }
      try await reader.outbox.sendWaiting()
      NotificationCenter.default.removeObserver(observer)
      #expect(reader.posts("As submitted").isEmpty)
      #expect(reader.posts("As changed").count == 1)
    }
  }

  @Test("a draft waits again if the task that sends it is cancelled")
  func cancelled() async throws {
    try await run { reader in
      let guest = try await reader.trial.guest()
      let draft = try await reader.reply("Cancelled at first")
      let outbox = reader.outbox
      func requests() -> Int {
        reader.trial.server.counters.requestsByPath["newreply.php"] ?? 0
      }
      reader.trial.server.addFault(Fault(.stall, path: "newreply.php", times: 1))
      let sending = Task { try await outbox.send(draft.id) }
      for _ in 0..<1_000 where requests() == 0 {
        _ = try await guest.page("index.php", query: [("json", "1")])
      }
      sending.cancel()
      #expect(try await sending.value == .waiting("The request was canceled."))
      reader.trial.server.clearFaults()
      #expect(try await reader.state(draft) == .waiting)
      try await reader.outbox.sendWaiting()
      #expect(reader.posts("Cancelled at first").count == 1)
    }
  }

  @Test("a draft whose form the site does not show waits, and the other drafts are sent")
  func refusedForm() async throws {
    try await run { reader in
      for text in ["Draft A", "Draft B"] {
        try await submitOffline(try await reader.reply(text), reader)
      }
      reader.trial.server.addFault(
        Fault(.status, path: "newreply.php", times: 1, amount: 403))
      try await reader.outbox.sendWaiting()
      #expect(reader.posts("Draft A").count + reader.posts("Draft B").count == 1)
      try await reader.outbox.sendWaiting()
      #expect(reader.posts("Draft A").count == 1 && reader.posts("Draft B").count == 1)
    }
  }

  @Test("a draft of a newer version of the program does not keep other drafts from the site")
  func newerDraft() async throws {
    try await run { reader in
      let newer = try await reader.reply("From a newer version")
      let draft = try await reader.reply("Readable")
      try await submitOffline(draft, reader)
      try await reader.trial.personal.performBackgroundTask { context in
        for stored in try context.fetch(NSFetchRequest<Draft>(entityName: "Draft"))
        where stored.draftID == newer.id {
          stored.kind = "carrier pigeon"
        }
      }
      try await reader.outbox.sendWaiting()
      #expect(reader.posts("Readable").count == 1)
    }
  }

  @Test("a preview shows the site's markup and posts nothing")
  func preview() async throws {
    try await run { reader in
      let draft = try await reader.reply("[b]Bold[/b] text")
      #expect(try await reader.outbox.preview(draft).contains("<b>Bold</b>"))
      #expect(reader.posts("Bold").isEmpty)
      let quoted = reader.thread.posts[0]
      #expect(try await reader.outbox.quote(ofPost: quoted.id).contains(quoted.author))
    }
  }
}
