/// One account of the site. All accounts have the same password, `ForumSite.password`.
struct SiteUser: Codable, Sendable, Hashable {
  enum Role: String, Codable, Sendable, Hashable {
    case normal, platinum, archives, moderator, administrator
  }

  /// Whether the account may use the site.
  enum Standing: String, Codable, Sendable, Hashable {
    case good
    /// The account may read but not post.
    case onProbation
    /// The account may only log out.
    case banned
  }

  let id: Int
  var name: String
  var role: Role
  var standing = Standing.good
  let registered: Int
  let tagline: String
  let hasAvatar: Bool
  let acceptsMessages: Bool
  let usesTwelveHourClock: Bool
  /// The page size for requests that do not name one.
  let pageSize: Int

  var isStaff: Bool { role == .moderator || role == .administrator }
}
