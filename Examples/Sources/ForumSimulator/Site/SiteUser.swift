/// One account of the site; its password is the same for everybody, `ForumSite.password`.
struct SiteUser: Codable, Sendable, Hashable {
  enum Role: String, Codable, Sendable, Hashable {
    case normal, platinum, archives, moderator, administrator
  }

  /// Whether the account may use the site.
  enum Standing: String, Codable, Sendable, Hashable {
    case good
    /// Reads, and is refused to post.
    case onProbation
    /// Is refused everything but the log-out.
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
  /// Page size used when a request does not name one.
  let pageSize: Int

  var isStaff: Bool { role == .moderator || role == .administrator }
}
