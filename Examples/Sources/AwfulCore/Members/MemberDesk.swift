import CoreData
import ForumClient
import ForumHTML
public import ForumScraping
import Foundation
import OpenPersistenceKit

/// What the reader asks of the site about members: profiles, punishments, and the ignore list.
public actor MemberDesk {
  /// How long the reader's own profile is not asked for again.
  private static let ownProfileSpacing = 300.0

  private nonisolated let store: ForumStore
  private nonisolated let pages: SitePages
  private var ownProfileFetched: Date?

  init(_ pages: SitePages) {
    store = pages.store
    self.pages = pages
  }

  // MARK: Profiles

  /// Fetches a member's profile and stores it; the reader's own one is younger than five minutes, or fetched.
  ///
  /// - Throws: `SiteRequestError`.
  public func fetchProfile(of userID: String) async throws {
    guard userID == store.readerID else {
      _ = try await profile([("userid", userID)])
      return
    }
    let now = pages.fetcher.clock.now()
    if let fetched = ownProfileFetched {
      let age = now.timeIntervalSince(fetched)
      if age >= 0, age < Self.ownProfileSpacing { return }
    }
    _ = try await profile([("userid", userID)])
    ownProfileFetched = now
  }

  /// Fetches the profile of the member of a name and stores it.
  ///
  /// - Returns: The member's id.
  /// - Throws: `SiteRequestError`.
  public func fetchProfile(named name: String) async throws -> String {
    let page = try await profile([("username", name)])
    guard let id = page.author.userID else { throw SiteRequestError(page.missingUser) }
    return id
  }

  private func profile(_ member: [(String, String)]) async throws -> ProfilePage {
    try await SiteRequestError.explaining {
      try await pages.page("member.php", [("action", "getinfo")] + member, .store).expectProfile()
    }
  }

  /// One page of a member's punishments; they are not stored.
  ///
  /// - Throws: `SiteRequestError`.
  public func punishments(of userID: String, page: Int) async throws -> PunishmentsPage {
    try await SiteRequestError.explaining {
      try await pages.page("banlist.php", [("userid", userID), ("pagenumber", "\(page)")])
        .expectPunishments()
    }
  }

  // MARK: The ignore list

  /// Fetches the names on the ignore list, and notes them.
  ///
  /// - Throws: `SiteRequestError`.
  public func fetchIgnoredNames() async throws -> [String] {
    let names = try await ignoreList().ignoredNames
    try await note(names)
    return names
  }

  /// Puts a member on the ignore list; the member's stored posts are folded.
  ///
  /// - Throws: `SiteRequestError`; with code `.refused` for moderators and administrators, whom it names.
  public func ignore(_ name: String) async throws {
    try await changeIgnoreList { names in names.contains(name) ? names : names + [name] }
  }

  /// Takes a member off the ignore list; the member's stored posts are shown again.
  ///
  /// - Throws: `SiteRequestError`.
  public func stopIgnoring(_ name: String) async throws {
    try await changeIgnoreList { names in names.filter { $0 != name } }
  }

  /// Sends the list's whole form back, with one box for each name.
  private func changeIgnoreList(_ change: ([String]) -> [String]) async throws {
    let page = try await ignoreList()
    let names = change(page.ignoredNames)
    if names != page.ignoredNames {
      let fields = page.form.submission(pressing: "submit").filter { $0.name != "listbits[]" }
      try await pages.send(
        page.form, fields.map { ($0.name, $0.value) } + names.map { ("listbits[]", $0) })
    }
    try await note(names)
  }

  private func ignoreList() async throws -> FormPage {
    try await SiteRequestError.explaining {
      try await pages.page("member2.php", [("action", "viewlist"), ("userlist", "ignore")])
        .expectForm(.ignoreListForm)
    }
  }

  /// Notes the names, folds the stored posts of members who are new on the list, and shows those of members who are not on it any more.
  private func note(_ names: [String]) async throws {
    let former = store.ignoredNames ?? []
    let (added, removed) = (
      names.filter { !former.contains($0) }, former.filter { !names.contains($0) }
    )
    try await SiteRequestError.explaining {
      try await store.performBackgroundTask { context in
        let request = NSFetchRequest<Post>(entityName: "Post")
        request.predicate = NSPredicate(
          format: "author.username IN %@", argumentArray: [added + removed])
        request.relationshipKeyPathsForPrefetching = ["author"]
        for post in try context.fetch(request) {
          post.update(\.ignored, to: added.contains(post.author?.username ?? ""))
        }
      }
      try store.noteIgnoredNames(names)
    }
  }
}
