import ForumHTML

extension HTMLDocument {
  /// Whether the site created the page for a logged-in reader: such pages have a logout link.
  var isForMember: Bool {
    get throws { try first("a[href*='action=logout']") != nil }
  }
}
