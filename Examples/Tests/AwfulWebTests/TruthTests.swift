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

/// After a sync, the store, the pages and the terminal agree with the site, regardless of events and faults.
@Suite("Truth of the site", .serialized)
struct TruthTests {
  /// The number of happenings, five for each sync, and twenty on the medium site. A thousand take a quarter of an hour on the small one.
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

  @Test("happenings of all kinds, with intermittent faults")
  func truth() async throws {
    try await WebTrial.run(loggedIn: true, size: Self.size) { trial in
      var dice = HostileMarkup.Dice(seed: 1_000)
      let site = try #require(trial.connection)
      let perRound = Self.size == .medium ? 20 : 5
      let rounds = Self.happeningCount / perRound
      _ = try await site.sync()
      var kinds: [Happening: Int] = [:]
      var faults: [String: Int] = [:]
      var pending: [Fault.Kind] = []
      var compared = Compared()
      _ = trial.site.happen(times: 0, seed: 28)
      for round in 0..<rounds {
        for _ in 0..<perRound {
          // Lists print minutes, so events within one minute are indistinguishable.
          trial.site.advance(seconds: 61 + dice.below(200))
          for kind in trial.site.happen() { kinds[kind, default: 0] += 1 }
        }
        if dice.below(2) == 0 {
          for fault in Self.faults(&pending, &dice) { trial.server.addFault(fault) }
          try await expectClean(trial, &faults)
          trial.server.clearFaults()
          if !site.client.isLoggedIn { try await Self.logIn(site.client) }
        }
        _ = try await site.sync()
        let isWhole = round % 25 == 0 || round == rounds - 1
        try await expectEqual(trial, &compared, isWhole: isWhole, "round \(round)", &dice)
      }
      print(
        "happenings: \(kinds.values.reduce(0, +)), threads compared: \(compared.count), "
          + "faults: \(faults.sorted { $0.key < $1.key })")
      #expect(kinds.count > Happening.allCases.count / 2)
      let struck = faults.keys.flatMap { $0.prefix { $0 != ":" }.split(separator: "+") }
      if struck.count >= Fault.Kind.allCases.count {
        #expect(Set(struck).count == Fault.Kind.allCases.count)
      }
    }
  }

  private static func logIn(_ client: ForumClient) async throws {
    try await ForumLogIn.logIn(ForumSite.defaultUserName, password: ForumSite.password, client)
  }

  /// One to three faults at once. Each kind occurs once before any kind repeats.
  private static func faults(
    _ pending: inout [Fault.Kind], _ dice: inout HostileMarkup.Dice
  ) -> [Fault] {
    let paths: [String?] = [nil, "index.php", "forumdisplay.php", "showthread.php"]
    return (0..<(1 + dice.below(3))).map { _ in
      if pending.isEmpty { pending = Fault.Kind.allCases }
      let kind = pending.remove(at: dice.below(pending.count))
      return Fault(
        kind, path: paths[dice.below(paths.count)], after: dice.below(4), times: 1 + dice.below(3))
    }
  }

  /// A sync with faults succeeds or fails with a message; the store is intact in both cases.
  private func expectClean(_ trial: WebTrial, _ faults: inout [String: Int]) async throws {
    let present = trial.server.faults.map(\.kind.rawValue).joined(separator: "+")
    do {
      _ = try await #require(trial.connection).sync()
      faults["\(present): ok", default: 0] += 1
    } catch let error as SyncError {
      #expect(error.sentence.count > 10)
      faults["\(present): \(error.code.rawValue)", default: 0] += 1
    } catch let error where error is ClientError || error is ForumErrorPage || error is PageError {
      faults["\(present): \(error)", default: 0] += 1
    }
    #expect(try trial.store.check().isEmpty, "\(present)")
  }

  // MARK: Comparing

  /// What was compared last: of a site with very many threads, only those that have changed since are compared again, and some others.
  private struct Compared {
    var threads: [String: SiteTruth.Thread] = [:]
    /// How many threads were compared, counted each time.
    var count = 0

    /// The threads to compare now: of few threads all.
    mutating func threads(
      of truth: SiteTruth, isWhole: Bool, _ dice: inout HostileMarkup.Dice
    ) -> [SiteTruth.Thread] {
      let old = threads
      threads = Dictionary(uniqueKeysWithValues: truth.threads.map { ($0.id, $0) })
      let isAll = isWhole || truth.threads.count < 1_000
      var chosen = truth.threads.filter { isAll || old[$0.id] != $0 }
      if !isAll {
        for _ in 0..<40 { chosen.append(truth.threads[dice.below(truth.threads.count)]) }
      }
      count += chosen.count
      return chosen
    }
  }

  private func expectEqual(
    _ trial: WebTrial, _ compared: inout Compared, isWhole: Bool, _ comment: Comment,
    _ dice: inout HostileMarkup.Dice
  ) async throws {
    let truth = trial.site.truth(posts: .leftOut)
    let lists = ForumLists(trial.store)
    let forums = truth.forums.filter { !$0.isGroup }
    let stored = try lists.forums()
    #expect(
      Set(stored.map { [$0.forumID, $0.name] }) == Set(forums.map { [$0.id, $0.title] }), comment)
    for thread in compared.threads(of: truth, isWhole: isWhole, &dice) {
      try expectEqual(try #require(trial.site.thread(thread.id)), lists, comment)
    }
    let forum = forums[dice.below(forums.count)]
    try await expectShown(forum, truth, trial, comment)
    let open = truth.threads[dice.below(truth.threads.count)]
    try await expectShown(try #require(trial.site.thread(open.id)), trial, comment)
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
    #expect(row.iconName == thread.tag, comment)
    #expect(row.secondIconName == thread.secondTag, comment)
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
