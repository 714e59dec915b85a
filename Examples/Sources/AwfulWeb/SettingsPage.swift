import AwfulCore
import CoreData
import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit
import StoreSharing
import WebPages

/// The page with the reader's settings and the numbers of stored objects.
struct SettingsPage: Sendable {
  /// The cookie that stores whether images of other sites are loaded.
  static let imagesCookie = "show-images"

  /// The entities to count, with their nouns.
  private static let nouns = [
    ("Forum", "forum"), ("Thread", "thread"), ("Post", "post"), ("User", "user"),
    ("PrivateMessage", "message"),
  ]

  let parts: PageParts
  let store: ForumStore
  let personal: PersonalStore
  let viewers: StoreViewers
  let client: ForumClient?

  /// Answers a request for this page. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    switch (request.method, request.path) {
    case (.get, ["settings"]): return .page(try await page(request))
    case (.post, ["settings", "login"]): return try await logIn(request)
    case (.post, ["settings", "logout"]):
      if let client { try client.cookies.removeAll(of: client.base) }
      return .redirect("/settings")
    case (.post, ["settings", "deletion"]):
      guard let policy = DeletionSettings.policy(request.form, current: store.deletionPolicy)
      else { return PageParts.unknownValue }
      try store.note(policy)
      return .redirect("/settings")
    case (.post, ["settings", "prune"]):
      guard let count = try await prune() else {
        return PageParts.refusal(
          "Another program shows the store, or old threads are being deleted. Nothing was deleted. "
            + "End the other program, and try again.", status: 409)
      }
      return .redirect("/settings?deleted=\(count)")
    case (.post, ["images"]):
      return .redirect(
        request.form["back"] ?? "/",
        cookies: [SiteCookie(Self.imagesCookie, request.form["show"] == "1" ? "1" : "0")])
    default: return nil
    }
  }

  /// Deletes old threads, except those that the reader has saved, those with bookmarked posts, and those that open pages show.
  ///
  /// - Returns: The number of deleted threads and posts; nil if another program shows the store.
  private func prune() async throws -> Int? {
    try await viewers.whileAlone {
      let kept = try await personal.keptIDs()
      let threads = kept.threads + (await parts.feed.shownThreadIDs())
      let store = store
      let days = Double(DeletionSettings.days(store.deletionPolicy))
      return try await LongWork.run {
        try store.prune(olderThanDays: days, keeping: threads, keepingPosts: kept.posts)
          .deletedCounts.values.reduce(0, +)
      }
    }
  }

  /// Logs in. The page shows the site's refusal above the form. The password is not stored.
  private func logIn(_ request: WebRequest) async throws -> WebAnswer {
    guard let client else { return .redirect("/settings") }
    guard let name = request.form["name"], !name.isEmpty,
      let password = request.form["password"], !password.isEmpty
    else { return .page(try await page(request, problem: "Enter your name and your password.")) }
    do {
      try await ForumLogIn.logIn(name, password: password, client)
    } catch let error as ForumErrorPage {
      return .page(try await page(request, problem: "The site says: \(error)"))
    } catch let error as ClientError {
      return .page(try await page(request, problem: error.message))
    } catch let error as PageError {
      return .page(try await page(request, problem: error.message))
    }
    return .redirect("/settings")
  }

  private func page(_ request: WebRequest, problem: String? = nil) async throws -> Markup {
    let (store, pictures) = (store, parts.feed.pictures)
    let (counts, pictureBytes) = try await LongWork.run {
      (try store.objectCounts(), Int64(pictures.byteCount))
    }
    let reports = PageReports(of: store)
    let showsImages = request.cookies[Self.imagesCookie] == "1"
    return parts.plain("Settings", path: "/settings") {
      if let deleted = request.query["deleted"].flatMap({ Int($0) }) {
        element(.p, Attribute("role", "status")) {
          "Deleted \(Wording.count(deleted, "thread")) and post\(deleted == 1 ? "" : "s") that are no longer on any list."
        }
      }
      element(.section) {
        element(.h2) { "Login" }
        Markup.notice(problem)
        element(.p) { logInState }
        if let client { logInForm(client, name: request.form["name"] ?? "") }
      }
      element(.section) {
        element(.h2) { "Images" }
        Self.imagesForm(showsImages, back: "/settings")
      }
      element(.section) {
        element(.h2) { "Stored content" }
        amounts(counts, pictureBytes: pictureBytes)
        DeletionSettings.markup(store.deletionPolicy, store.deletionRecord)
      }
      unreadable(reports)
      element(.section) {
        element(.h2) { "Lists" }
        element(.ul) {
          element(.li) { element(.a, .href("/favorites")) { "Arrange favorites" } }
          element(.li) { element(.a, .href("/hidden")) { "Hidden threads" } }
          element(.li) { element(.a, .href("/ignored")) { "Ignored members" } }
        }
      }
    }
  }

  /// Returns the list of the numbers of stored objects, and of the sizes of the files.
  private func amounts(_ counts: [String: Int], pictureBytes: Int64) -> Markup {
    element(.ul) {
      for (entity, noun) in Self.nouns {
        element(.li) { Wording.count(counts[entity] ?? 0, noun) }
      }
      size("Content of the site", of: store)
      size("Your drafts and choices", of: personal)
      if pictureBytes > 0 {
        element(.li) { "Avatars and pictures: \(Self.megabytes(pictureBytes)) MB" }
      }
    }
  }

  /// Returns the section about pages of the site that could not be read.
  @MarkupBuilder
  private func unreadable(_ reports: PageReports?) -> Markup {
    // If the folder cannot be read, the section is omitted.
    if let reports, let files = try? reports.files(), !files.isEmpty {
      element(.section) {
        element(.h2) { "Pages that could not be read" }
        element(.p) {
          "You can attach the most recent ones, in \(reports.folder.path), to a bug report. They contain no texts or names:"
        }
        element(.ul) { for file in files { element(.li) { file.lastPathComponent } } }
      }
    }
  }

  private func logInForm(_ client: ForumClient, name: String) -> Markup {
    if client.isLoggedIn {
      return Markup.button("Log out", to: "/settings/logout", back: "/settings")
    }
    return element(
      .form, .class("writing"), Attribute("method", "post"), Attribute("action", "/settings/login")
    ) {
      Markup.field("name", "Name", value: name, Attribute("autocomplete", "username"))
      element(.label, Attribute("for", "password")) { "Password" }
      element(
        .input, .id("password"), Attribute("type", "password"), Attribute("name", "password"),
        Attribute("autocomplete", "current-password"))
      element(.div, .class("buttons")) { element(.button) { "Log in" } }
    }
  }

  private var logInState: String {
    guard let client else { return "Not connected to the site. Only stored content is shown." }
    guard client.isLoggedIn else {
      return "Not logged in. Read marks and bookmarks are not synced, and you cannot post."
    }
    let expiry = client.logInExpiry.map { " until \(Wording.day($0))" } ?? ""
    return "Logged in\(expiry)."
  }

  @MarkupBuilder
  private func size(_ name: String, of store: PersistenceController) -> Markup {
    if let bytes = store.statistics.stores.compactMap(\.byteCount).first {
      element(.li) { "\(name): \(Self.megabytes(bytes)) MB" }
    }
  }

  private static func megabytes(_ bytes: Int64) -> String {
    let tenths = (bytes + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Returns the button that turns images of other sites on or off.
  static func imagesForm(_ showsImages: Bool, back: String) -> Markup {
    Markup.form(to: "/images", back: back) {
      element(
        .button, .class("quiet"), Attribute("name", "show"),
        Attribute("value", showsImages ? "0" : "1")
      ) { showsImages ? "Do not load images from other sites" : "Load images from other sites" }
    }
  }
}
