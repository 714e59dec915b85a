import ArgumentParser
import AwfulCore
import AwfulWeb
import ForumClient
import Foundation
import Loopback
import WebPages

/// Shows what is stored in a browser, live, and follows the site if its address is given.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is stored in a browser.",
    discussion: """
      Only browsers on this machine that open the printed address are let in. With --base-url the site is \
      followed meanwhile; the password of --user is read from the environment variable AWFUL_PASSWORD.
      """)

  @OptionGroup var store: StoreOptions

  @Option(help: "The port on the loopback address; 0 takes a free one.")
  var port: UInt16 = 0

  @Option(help: "The site's address; without it, only what is stored is shown.")
  var baseURL: String?

  @Option(help: "Seconds after which lists are fetched again.")
  var every: Int = 900

  @Option(help: "The name to log in with.")
  var user: String?

  @Option(help: "The file that keeps the log-in.", completion: .file())
  var cookies: String?

  func validate() throws {
    if let baseURL { try SiteAccess.check(baseURL) }
    if every < 1 { throw ValidationError("--every must be 1 or more.") }
  }

  func run() async throws {
    let store = try store.openOrMake()
    let status = SyncStatus()
    let lists = LiveLists()
    let base = baseURL.flatMap { URL(string: $0) }
    let pages = ForumPages(of: store, lists: lists, status: status, base: base)
    do {
      let address = try await WebSite(pages, lists: lists, port: port).start()
      print("Open \(address)")
      Terminal.flush()
      if let base { try await follow(base, store, status) }
    } catch {
      Terminal.complain("\(error)")
      throw ExitCode.failure
    }
    // Until the program is ended; a cancelled sleep ends it as well.
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }

  /// Syncs again and again; the pause doubles with each failure, up to a quarter of an hour.
  private func follow(_ base: URL, _ store: ForumStore, _ status: SyncStatus) async throws {
    let client = ForumClient(base: base, cookies: try CookieFile(cookies.map { URL(filePath: $0) }))
    var synced: Date?
    var failedSince: Date?
    var pause = every
    while true {
      await status.set(.running)
      do {
        try await SiteAccess.logIn(user, client)
        // What another program has fetched meanwhile is young enough.
        let spacing = RefreshSpacing(
          index: .seconds(every * 24), forum: .seconds(every - 1), bookmarks: .seconds(every - 1))
        let report = try await ForumSync(store: store, client: client, spacing: spacing).run()
        // Where all lists were young, the site was not asked.
        if report.pageCount > 0 { synced = Date() }
        (failedSince, pause) = (nil, every)
        await status.set(.synced(synced ?? store.lastRefresh(of: .index) ?? Date()))
      } catch {
        failedSince = failedSince ?? Date()
        await status.set(
          .offline(
            reason: (error as? SyncError)?.sentence ?? "\(error)", since: failedSince ?? Date(),
            synced: synced))
        Terminal.complain("\(error)")
        pause = min(pause * 2, max(900, every))
      }
      try await Task.sleep(for: .seconds(pause))
    }
  }
}
