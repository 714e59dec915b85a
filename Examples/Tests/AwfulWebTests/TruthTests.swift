import AwfulCore
import AwfulTerminal
import CoreData
import ForumClient
import ForumHTML
import ForumScraping
import ForumSimulator
import Foundation
import HostileMarkup
import OpenPersistenceKit
import TerminalView
import Testing

/// Whatever happens on the site and on the way from it: after a sync, the store, the pages and the terminal have what the site has.
@Suite("Truth of the site", .serialized)
struct TruthTests {
  /// The number of happenings, five for each sync; a thousand take a quarter of an hour.
  private static var happeningCount: Int {
    Int(ProcessInfo.processInfo.environment["AWFUL_HAPPENINGS"] ?? "") ?? 50
  }

  private static var size: SiteSize {
    switch ProcessInfo.processInfo.environment["AWFUL_TRUTH_SIZE"] {
    case "small": .small
    case "medium": .medium
    default: .tiny
    }
  }

  @Test("happenings of all kinds, with faults that come and go")
  func truth() async throws {
    try await WebTrial.run(loggedIn: true, size: Self.size) { trial in
      var dice = HostileMarkup.Dice(seed: 1_000)
      let site = try #require(trial.connection)
      _ = try await site.sync()
      var kinds: [Happening: Int] = [:]
      var faults: [String: Int] = [:]
      _ = trial.site.happen(times: 0, seed: 28)
      for round in 0..<(Self.happeningCount / 5) {
        for _ in 0..<5 {
          // Lists print minutes; what happens within one cannot be told apart by them.
          trial.site.advance(seconds: 61 + dice.below(200))
          for kind in trial.site.happen() { kinds[kind, default: 0] += 1 }
        }
        if dice.below(2) == 0 {
          let fault = Self.fault(&dice)
          trial.server.addFault(fault)
          try await expectClean(trial, after: fault, &faults)
          trial.server.clearFaults()
          if !site.client.isLoggedIn { try await Self.logIn(site.client) }
        }
        _ = try await site.sync()
        try await expectEqual(trial, "round \(round)", &dice)
      }
      print(
        "happenings: \(kinds.values.reduce(0, +)), faults: \(faults.sorted { $0.key < $1.key })")
      #expect(kinds.count > Happening.allCases.count / 2)
    }
  }

  private static func logIn(_ client: ForumClient) async throws {
    try await ForumLogIn.logIn(ForumSite.defaultUserName, password: ForumSite.password, client)
  }

  private static func fault(_ dice: inout HostileMarkup.Dice) -> Fault {
    let kinds = Fault.Kind.allCases
    let paths: [String?] = [nil, "index.php", "forumdisplay.php", "showthread.php"]
    return Fault(
      kinds[dice.below(kinds.count)], path: paths[dice.below(paths.count)], after: dice.below(4),
      times: 1 + dice.below(3))
  }

  /// A sync with a fault succeeds, or says in a sentence why it does not; the store is sound either way.
  private func expectClean(
    _ trial: WebTrial, after fault: Fault, _ faults: inout [String: Int]
  ) async throws {
    do {
      _ = try await #require(trial.connection).sync()
      faults["\(fault.kind.rawValue): ok", default: 0] += 1
    } catch let error as SyncError {
      #expect(error.sentence.count > 10)
      faults["\(fault.kind.rawValue): \(error.code.rawValue)", default: 0] += 1
    } catch let error where error is ClientError || error is ForumErrorPage || error is PageError {
      faults["\(fault.kind.rawValue): \(error)", default: 0] += 1
    }
    #expect(try trial.store.check().isEmpty, "\(fault)")
  }

  // MARK: Comparing

  private func expectEqual(
    _ trial: WebTrial, _ comment: Comment, _ dice: inout HostileMarkup.Dice
  ) async throws {
    let truth = trial.site.truth()
    let lists = ForumLists(trial.store)
    let forums = truth.forums.filter { !$0.isGroup }
    let stored = try lists.forums()
    #expect(
      Set(stored.map { [$0.forumID, $0.name] }) == Set(forums.map { [$0.id, $0.title] }), comment)
    for thread in truth.threads { try expectEqual(thread, lists, comment) }
    let forum = forums[dice.below(forums.count)]
    try await expectShown(forum, truth, trial, comment)
    let open = truth.threads[dice.below(truth.threads.count)]
    try await expectShown(open, trial, comment)
  }

  private func expectEqual(
    _ thread: SiteTruth.Thread, _ lists: ForumLists, _ comment: Comment
  ) throws {
    let row = try lists.thread(thread.id)
    let comment: Comment = "\(comment), thread \(thread.id)"
    #expect(row.title == thread.title, comment)
    #expect(row.postCount == thread.posts.count, comment)
    #expect(row.isClosed == thread.isClosed, comment)
    #expect(row.isSticky == thread.isSticky, comment)
    #expect(row.isBookmarked == (thread.bookmark != nil), comment)
    #expect(row.isOpened == ((thread.seen ?? 0) > 0), comment)
    #expect(row.unreadPostCount == thread.posts.count - (thread.seen ?? 0), comment)
    #expect(row.lastPosterName == thread.lastPoster, comment)
    let posts = try lists.posts(threadID: thread.id)
    #expect(posts.map(\.postID) == thread.posts.map(\.id), comment)
    #expect(posts.map(\.place) == thread.posts.map(\.index), comment)
  }

  /// A forum's pages have its threads in the site's order, sticky ones first.
  private func expectShown(
    _ forum: SiteTruth.Forum, _ truth: SiteTruth, _ trial: WebTrial, _ comment: Comment
  ) async throws {
    let page = try await trial.page("/forums/\(forum.id)")
    #expect(try page.first("h1")?.text == forum.title, comment)
    let shown = try page.select("#threads > li").compactMap { $0["id"]?.dropFirst(7) }.map(
      String.init)
    let listed = forum.threadIDs.prefix(40)
    #expect(Set(shown) == Set(listed), "\(comment), forum \(forum.id)")
    let place = ReaderPlaces.Place.threads(forumID: forum.id, name: forum.title, page: 1)
    let rows = try await trial.terminalRows(place)
    #expect(rows.map(\.id) == shown, "\(comment), forum \(forum.id) in a terminal")
  }

  private func expectShown(
    _ thread: SiteTruth.Thread, _ trial: WebTrial, _ comment: Comment
  ) async throws {
    let page = try await trial.page("/threads/\(thread.id)")
    #expect(try page.first("h1")?.text == thread.title, comment)
    let shown = try page.select("#posts > li").map { $0["id"] ?? "" }
    #expect(shown == thread.posts.prefix(40).map { "post\($0.id)" }, comment)
    let place = ReaderPlaces.Place.posts(threadID: thread.id, title: thread.title, page: 1)
    let rows = try await trial.terminalRows(place).filter(\.wraps)
    #expect(rows.map { "post\($0.id)" } == shown, "\(comment), in a terminal")
  }
}
