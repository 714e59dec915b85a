import AwfulCore
import ForumHTML
import ForumScraping
import Foundation
import WebPages
import StoreSharing

/// The pages about members: profiles with punishments, and the ignore list.
struct MemberPages: Sendable {
  /// The cookie that stores whether threads omit the posts of ignored members.
  static let hidingCookie = "hide-ignored"

  let parts: PageParts
  let store: ForumStore
  /// The requests to the site; nil if the program does not connect to it.
  let desk: MemberDesk?

  /// Returns whether threads omit the posts of ignored members.
  static func hidesIgnored(_ request: WebRequest) -> Bool {
    request.cookies[hidingCookie] == "1"
  }

  /// Answers a request for one of these pages. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    switch (request.method, path.first, path.count) {
    case (.get, "members", 1): return try await member(named: request.query["name"] ?? "")
    case (.get, "members", 2): return try await member(path[1], request)
    case (.get, "members", 3) where path[2] == "punishments":
      return try await punishments(of: path[1], request)
    case (.get, "ignored", 1): return await ignoreList(request)
    case (.post, "ignored", 1): return await changeIgnoreList(request)
    case (.post, "ignored", 2) where path[1] == "posts":
      return .redirect(
        request.form["back"] ?? "/ignored",
        cookies: [SiteCookie(Self.hidingCookie, request.form["hide"] == "1" ? "1" : "0")])
    default: return nil
    }
  }

  // MARK: Profiles

  /// Redirects to the member with a name, who may be known only to the site.
  private func member(named name: String) async throws -> WebAnswer {
    let known = try await parts.feed.feed.memberID(named: name)
    if let known { return .redirect(MemberRows.path(of: known)) }
    guard let desk else { return PageParts.missing("member") }
    do {
      return .redirect(MemberRows.path(of: try await desk.fetchProfile(named: name)))
    } catch let error as SiteRequestError {
      return .page(
        PageParts.problem(title: "No such member", reason: error.message), status: 404)
    }
  }

  private func member(_ id: String, _ request: WebRequest) async throws -> WebAnswer {
    async let fetched = fetchProfile(of: id)
    async let punished = fetchPunishments(of: id, page: 1)
    async let names = fetchIgnoredNames()
    let (profileProblem, punishments, ignored) = await (fetched, punished, names)
    guard let member = try await parts.feed.feed.member(id).load().first else {
      return .page(
        PageParts.problem(
          title: "No such member",
          reason: profileProblem ?? "This member is not stored. A sync may fetch the profile."),
        status: 404)
    }
    let showsImages = request.cookies[SettingsPage.imagesCookie] == "1"
    let shown = try await parts.feed.member(id, showsImages: showsImages)
    let path = MemberRows.path(of: id)
    return try await parts.live(
      member.name.isEmpty ? "Member" : member.name, path: path, [shown],
      showsForeignImages: showsImages
    ) {
      Markup.notice(profileProblem)
      done(request, ignored, back: path)
      element(.div, .class("actions")) {
        if member.takesMessages {
          element(.a, .href("/messages/new?to=\(PagePath.part(member.name))")) {
            "Send a message"
          }
        }
        if desk != nil, !member.name.isEmpty, id != store.readerID {
          ignoreForm(member.name, isIgnored: ignored.contains(member.name), back: path)
        }
      }
      element(.ul, .id(shown.list), .class("plain")) { shown.rows }
      element(.h2) { "Punishments" }
      section(punishments, of: id, page: 1)
      SettingsPage.imagesForm(showsImages, back: path)
    }
  }

  /// - Returns: The reason why the profile cannot be fetched, or nil.
  private func fetchProfile(of id: String) async -> String? {
    guard let desk else { return nil }
    do {
      try await desk.fetchProfile(of: id)
      return nil
    } catch {
      return PageParts.sentence(error)
    }
  }

  private func fetchIgnoredNames() async -> [String] {
    // The names that the site last sent are good enough here; the list's own page shows errors.
    (try? await desk?.fetchIgnoredNames()) ?? store.ignoredNames ?? []
  }

  // MARK: Punishments

  /// - Returns: The page or the error from fetching it; nil if the program does not connect to the site.
  private func fetchPunishments(
    of id: String, page: Int
  ) async -> Result<PunishmentsPage, any Error>? {
    guard let desk else { return nil }
    do {
      return .success(try await desk.punishments(of: id, page: page))
    } catch {
      return .failure(error)
    }
  }

  private func punishments(of id: String, _ request: WebRequest) async throws -> WebAnswer {
    let page = request.pageNumber
    let punishments = await fetchPunishments(of: id, page: page)
    let name = try await parts.feed.feed.member(id).load().first?.name ?? ""
    let markup = parts.plain(name.isEmpty ? "Punishments" : "Punishments of \(name)") {
      Markup.up(MemberRows.path(of: id), "Profile")
      section(punishments, of: id, page: page)
    }
    return .page(markup)
  }

  @MarkupBuilder
  private func section(
    _ punishments: Result<PunishmentsPage, any Error>?, of id: String, page: Int
  ) -> Markup {
    switch punishments {
    case nil:
      element(.p, .class("muted")) { "Punishments are not stored. \(PageParts.offline)" }
    case .failure(let error):
      element(.p, .class("warn-text")) {
        "Punishments are not stored. \(PageParts.sentence(error))"
      }
    case .success(let list):
      if list.punishments.isEmpty {
        element(.p, .class("muted")) { "There are no punishments." }
      } else {
        MemberRows.table(list.punishments, parts.feed.cleaner(showsImages: false))
      }
      PageLinks.markup(
        path: "\(MemberRows.path(of: id))/punishments", page: page,
        count: max(list.pages.count, page))
    }
  }

  // MARK: The ignore list

  private func ignoreList(_ request: WebRequest, problem: String? = nil) async -> WebAnswer {
    var problem = problem
    var names = store.ignoredNames ?? []
    do {
      if let desk {
        names = try await desk.fetchIgnoredNames()
      } else {
        problem = PageParts.offline
      }
    } catch {
      problem = problem ?? PageParts.sentence(error)
    }
    let hides = Self.hidesIgnored(request)
    let markup = parts.plain("Ignored members") {
      Markup.up("/settings", "Settings")
      Markup.notice(problem)
      done(request, names, back: "/ignored")
      element(.ul, .class("rows")) {
        for name in names {
          element(.li, .class("chosen")) {
            element(.a, .href("/members?name=\(PagePath.part(name))")) { name }
            if desk != nil { ignoreForm(name, isIgnored: true, back: "/ignored") }
          }
        }
      }
      if names.isEmpty { element(.p, .class("empty")) { "You are not ignoring any members." } }
      if desk != nil { nameForm(problem == nil ? "" : request.form["name"] ?? "") }
      element(.h2) { "Their posts" }
      Markup.form(to: "/ignored/posts", back: "/ignored") {
        element(.p) {
          hides
            ? "Threads do not show the posts of ignored members."
            : "Threads show the posts of ignored members collapsed."
        }
        element(
          .button, .class("quiet"), Attribute("name", "hide"), Attribute("value", hides ? "0" : "1")
        ) { hides ? "Collapse posts" : "Hide posts" }
      }
    }
    return .page(markup, status: problem == nil ? 200 : 502)
  }

  private func nameForm(_ name: String) -> Markup {
    element(.form, .class("writing"), Attribute("method", "post"), Attribute("action", "/ignored"))
    {
      Markup.hidden("back", "/ignored")
      Markup.field("name", "Name", value: name)
      element(.div, .class("buttons")) {
        element(.button, Attribute("name", "do"), Attribute("value", "add")) { "Ignore" }
      }
    }
  }

  private func ignoreForm(_ name: String, isIgnored: Bool, back: String) -> Markup {
    change(
      name, isIgnored ? "remove" : "add", back: back,
      label: isIgnored ? "Stop ignoring" : "Ignore",
      spoken: "\(isIgnored ? "Stop ignoring" : "Ignore") \(name)")
  }

  private func change(
    _ name: String, _ action: String, back: String, label: String, spoken: String
  ) -> Markup {
    Markup.form(to: "/ignored", back: back) {
      Markup.hidden("name", name)
      element(
        .button, .class("quiet"), Attribute("name", "do"), Attribute("value", action),
        .label(spoken)
      ) { label }
    }
  }

  /// Returns a notice of the last change with an undo button, or no markup if the list no longer reflects the change.
  @MarkupBuilder
  private func done(_ request: WebRequest, _ names: [String], back: String) -> Markup {
    if let name = request.query["ignored"], names.contains(name) {
      notice("You are now ignoring \(name).", undo: "remove", name, back: back)
    } else if let name = request.query["shown"], !names.contains(name) {
      notice("You are no longer ignoring \(name).", undo: "add", name, back: back)
    }
  }

  private func notice(
    _ sentence: String, undo action: String, _ name: String, back: String
  ) -> Markup {
    element(.div, .class("actions"), Attribute("role", "status")) {
      element(.span) { sentence }
      if desk != nil {
        change(name, action, back: back, label: "Undo", spoken: "Undo: \(sentence)")
      }
    }
  }

  private func changeIgnoreList(_ request: WebRequest) async -> WebAnswer {
    let name = (request.form["name"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    guard let desk, !name.isEmpty else {
      return await ignoreList(request, problem: desk == nil ? nil : "Enter the name of a member.")
    }
    let isAdding = request.form["do"] != "remove"
    do {
      if isAdding { try await desk.ignore(name) } else { try await desk.stopIgnoring(name) }
    } catch {
      return await ignoreList(request, problem: PageParts.sentence(error))
    }
    let back = request.form["back"] ?? "/ignored"
    let mark = back.contains("?") ? "&" : "?"
    return .redirect("\(back)\(mark)\(isAdding ? "ignored" : "shown")=\(PagePath.part(name))")
  }
}
