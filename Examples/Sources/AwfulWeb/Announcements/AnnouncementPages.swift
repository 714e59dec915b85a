import AwfulCore
import WebPages

/// The page with the site's announcements, and the form that marks one as read.
struct AnnouncementPages: Sendable {
  let parts: PageParts
  let actions: SiteActions

  /// Answers a request for one of these pages. Returns `nil` for any other request.
  func answer(to request: WebRequest) async throws -> WebAnswer? {
    let path = request.path
    guard path.first == "announcements" else { return nil }
    switch (request.method, path.count, path.last) {
    case (.get, 1, _): return try await announcements(request)
    case (.post, 3, "seen"):
      guard let place = Int(path[1]), let title = request.form["title"] else { return nil }
      try await actions.setSeen(announcementAt: place, titled: title)
      return .redirect(request.form["back"] ?? AnnouncementRows.path)
    default: return nil
    }
  }

  private func announcements(_ request: WebRequest) async throws -> WebAnswer {
    let showsImages = request.cookies[SettingsPage.imagesCookie] == "1"
    let shown = try await parts.feed.announcements(showsImages: showsImages)
    return try await parts.live(
      "Announcements", path: AnnouncementRows.path, [shown], showsForeignImages: showsImages
    ) {
      Markup.up("/", "All forums")
      shown.markup(empty: "No announcements are stored.")
      SettingsPage.imagesForm(showsImages, back: AnnouncementRows.path)
    }
  }
}
