/// A node of the forum tree: a forum, or a group, which has no threads.
struct SiteForum: Codable, Sendable, Hashable {
  let id: Int
  var name: String
  var shortName: String
  /// The parent group or forum; `nil` for a group.
  let parentID: Int?
  let isGroup: Bool
  var moderatorIDs: [Int]
  /// Whether posts have neither a sidebar column nor an index, as in one forum of the real site.
  var hasPlainLayout = false
  /// Whether the forum's threads have a second icon.
  var hasSecondIcons = false
}
