import ArgumentParser
import AwfulCore
import ForumClient
import Foundation
import OpenPersistenceKit
import TerminalView
import WebPages
import CommandParts

/// Fetches and stores everything new on the site.
struct Sync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fetch new content from the site.",
    discussion: "The password for --user is read from the environment variable AWFUL_PASSWORD.")

  @Option(help: "The site's address.")
  var baseURL: String

  @OptionGroup var store: StoreOptions

  @Flag(help: "Do not show progress.")
  var quiet = false

  @Option(help: "The user name to log in with.")
  var user: String?

  @Option(help: "The file that stores the login.", completion: .file(), transform: Input.path)
  var cookies: String?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Afterward, delete old threads that are not on the site's lists, if the settings allow it.")
  var prune = true

  func validate() throws {
    try SiteAccess.check(baseURL)
  }

  func run() async throws {
    let store = try self.store.openOrMake()
    let personal = try self.store.openPersonal()
    let meter = ProgressMeter(quiet ? .silent : Terminal.isInteractive ? .bar : .lines)
    let report = try await Terminal.reporting {
      defer { meter.finish() }
      let client = try SiteAccess.client(of: baseURL, cookies: cookies)
      try await SiteAccess.logIn(user, client)
      let site = SiteConnection(store: store, personal: personal, client: client)
      return try await site.sync {
        meter.show($0.phase.rawValue, done: $0.done, total: $0.total)
      }
    }
    show(report)
    if prune { await deleteOld(store, personal) }
  }

  /// Deletes old content. A failure does not change the exit status, because the sync has succeeded.
  private func deleteOld(_ store: ForumStore, _ personal: PersonalStore) async {
    let deletion = AutomaticDeletion(
      store: store, personal: personal, pictures: MemberPictures(of: store),
      viewers: StoreViewers(of: store))
    do {
      guard let report = try await deletion.runIfDue(), report.deletedCount > 0 else { return }
      print(Prune.sentence(of: report))
    } catch {
      Terminal.complain(ErrorText.sentence(of: error))
    }
  }

  private func show(_ report: SyncReport) {
    for failure in report.failures { Terminal.complain("\(failure)") }
    let counts = [
      Wording.count(report.newForumCount, "new forum"),
      Wording.count(report.newThreadCount, "new thread"),
      Wording.count(report.newPostCount, "new post"),
      Wording.count(report.newUserCount, "new user"),
    ]
    print("\(counts.joined(separator: ", ")) (\(Wording.count(report.pageCount, "page")) read)")
  }
}
