/// The amount of content of a generated site.
public struct SiteSize: Codable, Sendable, Hashable {
  /// The name used on the command line and in the truth document.
  public let name: String
  /// The number of groups, the roots of the forum tree.
  public let groups: Int
  /// The number of forums below the groups, including nested forums.
  public let forums: Int
  /// The number of threads at the start.
  public let threads: Int
  /// The total number of posts at the start, in all threads.
  public let posts: Int
  /// The number of accounts.
  public let users: Int
  /// The average time between two new posts, in virtual seconds.
  public let secondsBetweenPosts: Int

  /// Creates a custom size; counts below the smallest working site are raised to its counts.
  public init(
    name: String, groups: Int, forums: Int, threads: Int, posts: Int, users: Int,
    secondsBetweenPosts: Int
  ) {
    self.name = name
    self.groups = min(max(groups, 1), WordLists.groups.count)
    self.forums = max(forums, self.groups)
    self.threads = max(threads, self.forums)
    self.posts = max(posts, self.threads)
    self.users = max(users, 4)
    self.secondsBetweenPosts = max(secondsBetweenPosts, 1)
  }

  /// A size for demonstrations and tests: 2 groups, 6 forums, 30 threads, 600 posts.
  public static let tiny = SiteSize(
    name: "tiny", groups: 2, forums: 6, threads: 30, posts: 600, users: 24,
    secondsBetweenPosts: 90)
  /// A size with several pages in every list: 3 groups, 12 forums, 200 threads, 5,000 posts.
  public static let small = SiteSize(
    name: "small", groups: 3, forums: 12, threads: 200, posts: 5_000, users: 120,
    secondsBetweenPosts: 30)
  /// A size for measurements: 4 groups, 60 forums, 5,000 threads, 250,000 posts.
  public static let medium = SiteSize(
    name: "medium", groups: 4, forums: 60, threads: 5_000, posts: 250_000, users: 2_000,
    secondsBetweenPosts: 5)

  /// A size for long runs: 6 groups, 150 forums, 20,000 threads, 1,000,000 posts, whose texts are generated when a page shows them.
  public static let large = SiteSize(
    name: "large", groups: 6, forums: 150, threads: 20_000, posts: 1_000_000, users: 8_000,
    secondsBetweenPosts: 2)

  /// The built-in sizes, smallest first.
  public static let all: [SiteSize] = [.tiny, .small, .medium, .large]

  /// Creates the built-in size with a name.
  public init?(name: String) {
    guard let size = Self.all.first(where: { $0.name == name }) else { return nil }
    self = size
  }
}
