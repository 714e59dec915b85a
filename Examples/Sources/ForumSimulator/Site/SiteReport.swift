/// A post that an account has reported to the moderators.
struct SiteReport: Codable, Sendable, Hashable {
  let postID: Int
  let reporterID: Int
  /// The reporter's message; empty if there is none.
  let message: String
  /// Whether the reporter marked the post as not safe for work.
  let isNotSafeForWork: Bool
  let date: Int
}
