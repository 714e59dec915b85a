/// A line of the list of punishments.
struct SitePunishment: Codable, Sendable, Hashable {
  enum Sentence: String, Codable, Sendable, Hashable, CaseIterable {
    case probation = "PROBATION"
    case ban = "BAN"
    case autoban = "AUTOBAN"
    case permaban = "PERMABAN"
  }

  let sentence: Sentence
  let userID: Int
  /// `nil` for a punishment that is not about one post.
  let postID: Int?
  let date: Int
  let reason: String
  let requesterID: Int
  let approverID: Int
}
