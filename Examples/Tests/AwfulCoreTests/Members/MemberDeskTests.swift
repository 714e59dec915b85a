import AwfulCore
import CoreData
import ForumClient
import ForumScraping
import ForumSimulator
import Foundation
import OpenPersistenceKit
import Synchronization
import Testing
import StoreSharing

/// Profiles, punishments and the ignore list.
@Suite("Member queries", .serialized)
struct MemberDeskTests {
  /// An instant that the test moves. Shared.
  private final class Instant: Sendable {
    private let seconds = Mutex(1_700_000_000.0)

    var date: Date { Date(timeIntervalSince1970: seconds.withLock { $0 }) }

    func move(by number: Double) { seconds.withLock { $0 += number } }
  }

  private func run(
    _ body: (SyncTrial, MemberDesk, Instant) async throws -> Void
  ) async throws {
    try await SyncTrial.run { trial in
      try await trial.logIn()
      try await trial.sync()
      let instant = Instant()
      try await body(trial, trial.connection(now: { instant.date }).members, instant)
    }
  }

  private func member(_ id: String, _ trial: SyncTrial) async throws -> MemberRow {
    try #require(try await ForumFeed(StoreFeed(trial.store)).member(id).load().first)
  }

  /// A text in the form of a page that was read.
  private func markup(of text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\u{A0}", with: "&nbsp;")
  }

  @Test("profiles agree with the site, by id and by name, and stay if it is unreachable")
  func profiles() async throws {
    try await run { trial, desk, _ in
      for user in trial.site.truth().users {
        if user.id == trial.site.truth().reader?.id {
          try await desk.fetchProfile(of: user.id)
        } else {
          #expect(try await desk.fetchProfile(named: user.name) == user.id)
        }
      }
      let users = trial.site.truth().users
      await trial.server.stop()
      for user in users {
        let row = try await member(user.id, trial)
        let profile = try #require(row.profile)
        #expect(row.name == user.name && row.takesMessages == user.acceptsMessages)
        #expect(profile.aboutHTML == markup(of: user.about))
        #expect(profile.homepage?.absoluteString == user.homepage)
        let facts = Dictionary(profile.facts.map { ($0.label, $0.text) }) { one, _ in one }
        #expect(facts["Posts"] == "\(user.postCount)" && facts["Gender"] == user.gender)
        #expect(facts["Location"] ?? "" == user.location)
        #expect(profile.lastPostDate.map { Int($0.timeIntervalSince1970) } == user.lastPostDate)
      }
      let error = await #expect(throws: SiteRequestError.self) {
        try await desk.fetchProfile(named: "x")
      }
      #expect(error?.code == .network)
    }
  }

  @Test("the reader's own profile is fetched at most every five minutes, others each time")
  func spacing() async throws {
    try await run { trial, desk, instant in
      let own = try #require(trial.site.truth().reader?.id)
      let other = try #require(trial.site.truth().users.first { $0.id != own }?.id)
      func requests(_ id: String) async throws -> Int {
        trial.server.resetCounters()
        try await desk.fetchProfile(of: id)
        return trial.server.counters.requestsByPath["member.php"] ?? 0
      }
      #expect(try await requests(own) == 1)
      instant.move(by: 299)
      #expect(try await requests(own) == 0)
      #expect(try await requests(other) == 1)
      #expect(try await requests(other) == 1)
      instant.move(by: 1)
      #expect(try await requests(own) == 1)
      // A fetch time in the future does not delay the next fetch.
      instant.move(by: -10_000)
      #expect(try await requests(own) == 1)
    }
  }

  @Test("punishments of one member equal the site's")
  func punishments() async throws {
    try await run { trial, desk, _ in
      let truth = trial.site.truth()
      let id = try #require(truth.punishments.first?.userID)
      let listed = truth.punishments.filter { $0.userID == id }
      let page = try await desk.punishments(of: id, page: 1)
      #expect(page.punishments.map(\.subject.userID) == listed.prefix(50).map(\.userID))
      #expect(page.punishments.map(\.postID) == listed.prefix(50).map(\.postID))
    }
  }

  @Test("a member is ignored and shown again, on the site and among the stored posts")
  func ignoring() async throws {
    try await run { trial, desk, _ in
      let truth = trial.site.truth()
      let user = try #require(
        truth.users.first { user in
          user.role == "normal" && user.id != truth.reader?.id
            && truth.threads.contains { $0.posts.contains { $0.authorID == user.id } }
        })
      let earlier = try await desk.fetchIgnoredNames()
      try await desk.ignore(user.name)
      #expect(trial.site.truth().ignoredUserIDs.contains(user.id))
      #expect(trial.store.ignoredNames == earlier + [user.name])
      #expect(try await ignored(user.id, trial) == [true])
      try await desk.ignore(user.name)
      #expect(trial.store.ignoredNames == earlier + [user.name])
      try await desk.stopIgnoring(user.name)
      #expect(!trial.site.truth().ignoredUserIDs.contains(user.id))
      #expect(trial.store.ignoredNames == earlier)
      #expect(try await ignored(user.id, trial) == [false])
    }
  }

  @Test("members who are ignored at the same time are all ignored")
  func ignoringAtOnce() async throws {
    try await run { trial, desk, _ in
      let truth = trial.site.truth()
      let users = truth.users.filter {
        $0.role == "normal" && $0.id != truth.reader?.id && !truth.ignoredUserIDs.contains($0.id)
      }
      try #require(users.count >= 2)
      let guest = try await trial.guest()
      func askForIndex() async throws {
        _ = try await guest.page("index.php", query: [("json", "1")])
      }
      func requests() -> Int { trial.server.counters.requestsByPath["member2.php"] ?? 0 }
      trial.server.resetCounters()
      trial.server.addFault(Fault(.stall, path: "member2.php", times: 1))
      async let first: Void = desk.ignore(users[0].name)
      for _ in 0..<1_000 where requests() == 0 { try await askForIndex() }
      async let second: Void = desk.ignore(users[1].name)
      // While twenty other requests are answered, the second change would begin.
      for _ in 0..<20 { try await askForIndex() }
      #expect(requests() == 1)
      trial.server.clearFaults()
      try await first
      try await second
      let ignored = trial.site.truth().ignoredUserIDs
      #expect(ignored.contains(users[0].id) && ignored.contains(users[1].id))
      #expect(Set(trial.store.ignoredNames ?? []).isSuperset(of: users.prefix(2).map(\.name)))
    }
  }

  private func ignored(_ userID: String, _ trial: SyncTrial) async throws -> Set<Bool> {
    try await trial.store.performBackgroundTask { context in
      let user = try #require(try context.fetch(User.request(id: userID)).first)
      return Set(user.posts.map(\.ignored))
    }
  }

  @Test("the site's refusal to ignore a moderator names the moderator, and the list stays")
  func moderator() async throws {
    try await run { trial, desk, _ in
      let moderator = try #require(
        trial.site.truth().users.first { ["moderator", "administrator"].contains($0.role) })
      let before = trial.site.truth().ignoredUserIDs
      let error = await #expect(throws: SiteRequestError.self) {
        try await desk.ignore(moderator.name)
      }
      #expect(error?.code == .refused)
      #expect(error?.message.hasPrefix("\(moderator.name) is a moderator") == true)
      #expect(trial.site.truth().ignoredUserIDs == before)
      #expect(trial.store.ignoredNames?.contains(moderator.name) != true)
    }
  }
}
