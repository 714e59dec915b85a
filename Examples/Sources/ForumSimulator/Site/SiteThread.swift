/// A thread and its posts, oldest first.
struct SiteThread: Codable, Sendable, Hashable {
  struct Tag: Codable, Sendable, Hashable {
    let id: Int
    let name: String

    /// Creates the tag at a position of the list of all tags.
    init(position: Int) {
      id = 200 + position * 7
      name = WordLists.tags[position]
    }

    /// All tags, in the order of the forms.
    static let all = WordLists.tags.indices.map { Tag(position: $0) }

    /// The second icons, in the order of the forms.
    static let second = WordLists.secondTags.enumerated().map {
      Tag(id: $0.offset, name: $0.element)
    }

    private init(id: Int, name: String) {
      self.id = id
      self.name = name
    }

    /// Returns the second icon of a thread with a generated first post; one thread in five has none.
    static func second(from seed: UInt64) -> Tag? {
      let position = Int((seed >> 24) % UInt64(second.count + 1))
      return position < second.count ? second[position] : nil
    }
  }

  var id: Int
  var forumID: Int
  var title: String
  let authorID: Int
  /// The icon; `nil` for a thread started without an icon.
  let tag: Tag?
  /// The second icon; `nil` for a thread without one, and in forums without second icons.
  var secondTag: Tag?
  var isSticky: Bool
  var isClosed: Bool
  /// Whether only accounts with the archives upgrade may read the thread.
  var isArchived = false
  var voteCount: Int
  var voteSum: Int
  let baseViews: Int
  /// The number of entries of the thread among the busy threads at its start; zero for quiet threads.
  let activity: Int
  var posts: [SitePost]

  var lastPost: SitePost? { posts.last }
  var replies: Int { max(posts.count - 1, 0) }
  var views: Int { baseViews + posts.count * 7 }

  /// The average vote in hundredths; `nil` if there are no votes.
  var averageInHundredths: Int? {
    voteCount > 0 ? (voteSum * 100 + voteCount / 2) / voteCount : nil
  }
}
