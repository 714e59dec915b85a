import ArgumentParser
import AwfulCore
import ForumClient
import Foundation
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

  @Option(help: "The file that stores the login.", completion: .file())
  var cookies: String?

  func validate() throws {
    try SiteAccess.check(baseURL)
  }

  func run() async throws {
    let personal = try store.openPersonal()
    let store = try store.openOrMake()
    let meter = ProgressMeter(quiet ? .silent : Terminal.isInteractive ? .bar : .lines)
    do {
      let client = try SiteAccess.client(of: baseURL, cookies: cookies)
      try await SiteAccess.logIn(user, client)
      let site = SiteConnection(store: store, personal: personal, client: client)
      let report = try await site.sync {
        meter.show($0.phase.rawValue, done: $0.done, total: $0.total)
      }
      meter.finish()
      show(report)
    } catch {
      meter.finish()
      Terminal.complain("\(error)")
      throw ExitCode.failure
    }
  }

  private func show(_ report: SyncReport) {
    for failure in report.failures { Terminal.complain("\(failure)") }
    print(
      "\(report.newForumCount) new forums, \(report.newThreadCount) new threads, "
        + "\(report.newPostCount) new posts, \(report.newUserCount) new users "
        + "(\(report.pageCount) pages read)")
  }
}
