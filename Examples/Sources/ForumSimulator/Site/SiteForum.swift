/// A node of the forum tree: a group, which holds no threads, or a forum.
struct SiteForum: Codable, Sendable, Hashable {
  let id: Int
  var name: String
  var shortName: String
  /// The group or forum above; `nil` for a group.
  let parentID: Int?
  let isGroup: Bool
  var moderatorIDs: [Int]
  /// Whether posts come without sidebar column and without index, as in one forum of the real site.
  var hasPlainLayout = false
  /// Whether its threads have a second icon.
  var hasSecondIcons = false
}
