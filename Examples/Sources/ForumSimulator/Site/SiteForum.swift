/// A node of the forum tree: a group, which holds no threads, or a forum.
struct SiteForum: Codable, Sendable, Hashable {
  let id: Int
  let name: String
  let shortName: String
  /// The group or forum above; `nil` for a group.
  let parentID: Int?
  let isGroup: Bool
  let moderatorIDs: [Int]
}
