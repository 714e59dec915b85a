import ArgumentParser
import AwfulCore
import AwfulWeb
import ForumClient
import Foundation
import Loopback
import TerminalView
import WebPages
import CommandParts

/// Shows the store on web pages, with live updates. If an address of the site is given, also keeps the store up to date with the site.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the stored forums in a browser.",
    discussion: """
      Only browsers on this machine that open the printed address have access. With --base-url, the command \
      also keeps the store up to date with the site. The password for --user is read from the environment \
      variable AWFUL_PASSWORD. On SIGINT or SIGTERM, the command finishes the requests in progress and exits.
      """)

  @OptionGroup var store: StoreOptions

  @Option(help: "The port on the loopback address. 0 chooses a free port.")
  var port: UInt16 = 0

  @Option(help: "The site's address. If omitted, only stored content is shown.")
  var baseURL: String?

  @Option(help: "The number of seconds after which lists are fetched again.")
  var every: Int = 900

  @Option(help: "The user name to log in with.")
  var user: String?

  @Option(help: "The file that stores the login.", completion: .file(), transform: Input.path)
  var cookies: String?

  @Option(
    name: .customLong("image-host"),
    help: "The address of another host with avatars of the site. You can repeat this option.")
  var imageHosts: [String] = []

  func validate() throws {
    if let baseURL {
      try SiteAccess.check(baseURL)
    } else if user != nil || cookies != nil || !imageHosts.isEmpty {
      throw ValidationError("--user, --cookies and --image-host require --base-url.")
    }
    for host in imageHosts { try SiteAccess.check(host, option: "--image-host") }
    if !(1...31_536_000).contains(every) {
      throw ValidationError("--every must be between 1 and 31536000, which is a year.")
    }
  }

  func run() async throws {
    let store = try self.store.openOrMake()
    let personal = try self.store.openPersonal()
    let status = SyncStatus()
    let lists = LiveLists()
    let viewers = StoreViewers(of: store)
    try await Terminal.reporting {
      try viewers.join()
      let site = try connection(store, personal)
      let follower = site.map { following($0, store, status) }
      var refresh: (@Sendable () async -> Void)?
      if let follower { refresh = { await follower.refresh() } }
      let pages = ForumPages(
        of: store, personal: personal, lists: lists, status: status, viewers: viewers,
        base: site?.client.base, site: site, refresh: refresh)
      let web = WebSite(pages, lists: lists, port: port)
      let deletion = AutomaticDeletion(
        store: store, personal: personal, pictures: site?.pictures ?? MemberPictures(of: store),
        viewers: viewers)
      try await StopSignals.ending {
        print("Open \(try await web.start())")
        Terminal.flush()
        let deleting = Task { try await Self.follow(deletion, pages) }
        defer { deleting.cancel() }
        try await follower?.run()
        try await Terminal.waitUntilEnded()
      }
      await web.stop(within: StopSignals.gracePeriod)
    }
  }

  private static func follow(_ deletion: AutomaticDeletion, _ pages: ForumPages) async throws {
    try await deletion.follow {
      await pages.shownThreadIDs()
    } report: {
      Terminal.complain(ErrorText.sentence(of: $0))
    }
  }

  private func connection(
    _ store: ForumStore, _ personal: PersonalStore
  ) throws -> SiteConnection? {
    try baseURL.map { address in
      SiteConnection(
        store: store, personal: personal,
        client: try SiteAccess.client(of: address, cookies: cookies, imageHosts: imageHosts))
    }
  }

  private func following(
    _ site: SiteConnection, _ store: ForumStore, _ status: SyncStatus
  ) -> SiteFollower {
    let user = user
    return SiteFollower(every: .seconds(every)) { spacing in
      try await SiteAccess.logIn(user, site.client)
      return try await site.sync(spacing: spacing)
    } report: { event in
      await status.note(event, refreshed: store.lastRefresh(of: .index))
      if case .failed(let error) = event { Terminal.complain(ErrorText.sentence(of: error)) }
    }
  }
}
