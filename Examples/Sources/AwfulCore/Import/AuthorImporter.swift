import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports the authors of a page's posts from what stands beside the posts.
///
/// Confined to its context.
struct AuthorImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Finds or makes the authors with one fetch; each is imported once.
  func importAuthors(of posts: [ScrapedPost]) throws -> UpsertBatch<User> {
    let users = try UpsertBatch<User>(
      in: context, key: "userID", values: posts.compactMap(\.author.userID))
    // Beside ignored posts most is left out, so whole ones come first.
    let ordered = posts.filter { !$0.isIgnored } + posts.filter(\.isIgnored)
    for post in ordered.uniqued(by: { $0.author.userID ?? "" }) {
      guard let userID = post.author.userID else { continue }
      importAuthor(post, users[userID])
    }
    return users
  }

  private func importAuthor(_ post: ScrapedPost, _ user: User) {
    let author = post.author
    user.updateUnlessEmpty(\.username, to: author.name)
    guard !post.isIgnored, !author.name.isEmpty else { return }
    user.update(\.administrator, to: author.isAdministrator)
    user.update(\.moderator, to: author.isModerator)
    user.update(\.authorClasses, to: author.otherClasses.joined(separator: " "))
    user.update(\.customTitleHTML, to: author.customTitleHTML)
    user.update(\.canReceivePrivateMessages, to: post.authorCanReceivePrivateMessages)
    guard let registered = author.registered else { return }
    user.update(\.regdateRaw, to: registered.printed)
    user.updateIfPresent(\.regdate, to: registered.date)
  }
}
