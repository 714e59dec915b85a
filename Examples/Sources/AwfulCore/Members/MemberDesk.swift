import CoreData
import ForumClient
import ForumHTML
public import ForumScraping
import Foundation
import OpenPersistenceKit

/// Performs the reader's requests about members: profiles, punishments, and the ignore list.
public actor MemberDesk {
  /// The time in seconds during which the reader's own profile is not fetched again.
  private static let ownProfileSpacing = 300.0

  private nonisolated let store: ForumStore
  private nonisolated let pages: SitePages
  private var ownProfileFetched: Date?
  /// The last request about the ignore list.
  private var ignoreListRequest: Task<[String], any Error>?

  init(_ pages: SitePages) {
    store = pages.store
    self.pages = pages
  }

  // MARK: Profiles

  /// Fetches and stores a member's profile. Fetches the reader's own profile at most once every five minutes.
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

  /// Fetches and stores the profile of the member with a name.
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

  /// Returns one page of a member's punishments. Punishments are not stored.
  ///
  /// - Throws: `SiteRequestError`.
  public func punishments(of userID: String, page: Int) async throws -> PunishmentsPage {
    try await SiteRequestError.explaining {
      try await pages.page("banlist.php", [("userid", userID), ("pagenumber", "\(page)")])
        .expectPunishments()
    }
  }

  // MARK: The ignore list

  /// Fetches the names on the ignore list, and records them in the store.
  ///
  /// - Throws: `SiteRequestError`.
  public func fetchIgnoredNames() async throws -> [String] {
    try await inTurn { [self] in
      let names = try await ignoreList().ignoredNames
      try await note(names)
      return names
    }
  }

  /// Adds a member to the ignore list, and folds the member's stored posts.
  ///
  /// - Throws: `SiteRequestError`. The code is `.refused` if the member is a moderator or an administrator, whom the message names.
  public func ignore(_ name: String) async throws {
    try await changeIgnoreList { names in names.contains(name) ? names : names + [name] }
  }

  /// Removes a member from the ignore list, and shows the member's stored posts again.
  ///
  /// - Throws: `SiteRequestError`.
  public func stopIgnoring(_ name: String) async throws {
    try await changeIgnoreList { names in names.filter { $0 != name } }
  }

  /// Submits the complete form of the list, with one box for each name.
  private func changeIgnoreList(
    _ change: @escaping @Sendable ([String]) -> [String]
  ) async throws {
    _ = try await inTurn { [self] in
      let page = try await ignoreList()
      let names = change(page.ignoredNames)
      if names != page.ignoredNames {
        let fields = page.form.submission(pressing: "submit").filter { $0.name != "listbits[]" }
        try await pages.send(
          page.form, fields.map { ($0.name, $0.value) } + names.map { ("listbits[]", $0) })
      }
      try await note(names)
      return names
    }
  }

  /// Performs a request about the ignore list after the earlier requests have ended. A change submits the complete list, so a change to an
  /// outdated list would undo the previous change.
  private func inTurn(
    _ work: @escaping @Sendable () async throws -> [String]
  ) async throws -> [String] {
    let earlier = ignoreListRequest
    let request = Task {
      // The request does not depend on the result of the earlier one.
      _ = await earlier?.result
      return try await work()
    }
    ignoreListRequest = request
    return try await request.value
  }

  private func ignoreList() async throws -> FormPage {
    try await SiteRequestError.explaining {
      try await pages.page("member2.php", [("action", "viewlist"), ("userlist", "ignore")])
        .expectForm(.ignoreListForm)
    }
  }

  /// Records the names, folds the stored posts of newly ignored members, and shows the posts of members who are no longer ignored.
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
