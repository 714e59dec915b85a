/// A change to the forums, the accounts or the announcements of the site.
enum StructureChange: Sendable, Hashable {
  case renameUser(Int, String)
  case renameForum(Int, name: String, shortName: String)
  case addForum(SiteForum)
  case setModerators(forum: Int, [Int])
  case setPlainLayout(forum: Int, Bool)
  case setAnnouncements([SiteAnnouncement])
}

extension SiteState {
  /// Applies one change; a change to an unknown forum or account has no effect.
  mutating func apply(_ change: StructureChange) {
    switch change {
    case .renameUser(let user, let name):
      guard let position = users.firstIndex(where: { $0.id == user }) else { return }
      users[position].name = name
    case .renameForum(let forum, let name, let shortName):
      update(forum) {
        $0.name = name
        $0.shortName = shortName
      }
    case .addForum(let forum): forums.append(forum)
    case .setModerators(let forum, let moderators): update(forum) { $0.moderatorIDs = moderators }
    case .setPlainLayout(let forum, let isPlain): update(forum) { $0.hasPlainLayout = isPlain }
    case .setAnnouncements(let announcements): self.announcements = announcements
    }
  }

  private mutating func update(_ id: Int, _ body: (inout SiteForum) -> Void) {
    guard let position = forums.firstIndex(where: { $0.id == id }) else { return }
    body(&forums[position])
  }
}
