/// How much a generated site holds.
public struct SiteSize: Codable, Sendable, Hashable {
  /// The name used on the command line and in the truth document.
  public let name: String
  /// Number of groups, the roots of the forum tree.
  public let groups: Int
  /// Number of forums below the groups, nested ones included.
  public let forums: Int
  /// Number of threads at the start.
  public let threads: Int
  /// Number of posts at the start, in all threads together.
  public let posts: Int
  /// Number of accounts.
  public let users: Int
  /// Average time between two new posts, in virtual seconds.
  public let secondsBetweenPosts: Int

  /// Makes a size of your own; counts below the smallest working site are raised to it.
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

  /// For demonstrations and tests: 2 groups, 6 forums, 30 threads, 600 posts.
  public static let tiny = SiteSize(
    name: "tiny", groups: 2, forums: 6, threads: 30, posts: 600, users: 24,
    secondsBetweenPosts: 90)
  /// A site with several pages everywhere: 3 groups, 12 forums, 200 threads, 5,000 posts.
  public static let small = SiteSize(
    name: "small", groups: 3, forums: 12, threads: 200, posts: 5_000, users: 120,
    secondsBetweenPosts: 30)
  /// A site to measure with: 4 groups, 60 forums, 5,000 threads, 250,000 posts.
  public static let medium = SiteSize(
    name: "medium", groups: 4, forums: 60, threads: 5_000, posts: 250_000, users: 2_000,
    secondsBetweenPosts: 5)

  /// A site for long runs: 6 groups, 150 forums, 20,000 threads, 1,000,000 posts, whose texts are made up when a page shows them.
  public static let large = SiteSize(
    name: "large", groups: 6, forums: 150, threads: 20_000, posts: 1_000_000, users: 8_000,
    secondsBetweenPosts: 2)

  /// The built-in sizes, smallest first.
  public static let all: [SiteSize] = [.tiny, .small, .medium, .large]

  /// The built-in size of a name.
  public init?(name: String) {
    guard let size = Self.all.first(where: { $0.name == name }) else { return nil }
    self = size
  }
}
