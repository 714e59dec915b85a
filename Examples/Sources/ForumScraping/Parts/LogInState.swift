import ForumHTML

extension HTMLDocument {
  /// Whether the site made the page for a reader who is logged in: such pages lead to the log-out.
  var isForMember: Bool {
    get throws { try first("a[href*='action=logout']") != nil }
  }
}
