/// One account of the site; its password is the same for everybody, `ForumSite.password`.
struct SiteUser: Sendable, Hashable {
  enum Role: Sendable, Hashable {
    case normal, platinum, moderator, administrator
  }

  let id: Int
  let name: String
  let role: Role
  let registered: Int
  let tagline: String
  let hasAvatar: Bool
  let acceptsMessages: Bool
  let usesTwelveHourClock: Bool
  /// Page size used when a request does not name one.
  let pageSize: Int
}
