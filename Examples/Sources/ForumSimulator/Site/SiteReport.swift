/// A post that an account has reported to the moderators.
struct SiteReport: Codable, Sendable, Hashable {
  let postID: Int
  let reporterID: Int
  /// What the reporter wrote; empty when nothing.
  let message: String
  /// Whether the reporter says that the post is not safe for work.
  let isNotSafeForWork: Bool
  let date: Int
}
