/// An entry of the list of punishments.
struct SitePunishment: Codable, Sendable, Hashable {
  enum Sentence: String, Codable, Sendable, Hashable, CaseIterable {
    case probation = "PROBATION"
    case ban = "BAN"
    case autoban = "AUTOBAN"
    case permaban = "PERMABAN"
  }

  let sentence: Sentence
  let userID: Int
  /// The punished post; `nil` for a punishment that does not concern a single post.
  let postID: Int?
  let date: Int
  let reason: String
  let requesterID: Int
  let approverID: Int
}
