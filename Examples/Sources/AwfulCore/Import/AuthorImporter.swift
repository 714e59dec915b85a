import CoreData
import ForumScraping
import OpenPersistenceKit

/// Imports the authors of posts, messages and profiles from the sidebars beside them.
///
/// Confined to its context.
struct AuthorImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Finds or creates the authors with one fetch, and imports each author once.
  func importAuthors(of posts: [ScrapedPost]) throws -> UpsertBatch<User> {
    let users = try UpsertBatch<User>(
      in: context, key: "userID", values: posts.compactMap(\.author.userID))
    // The site omits most details beside ignored posts, so posts shown in full come first.
    let ordered = posts.filter { !$0.isIgnored } + posts.filter(\.isIgnored)
    for post in ordered.uniqued(by: { $0.author.userID ?? "" }) {
      guard let userID = post.author.userID else { continue }
      importAuthor(post, users[userID])
    }
    return users
  }

  private func importAuthor(_ post: ScrapedPost, _ user: User) {
    if post.isIgnored {
      user.updateUnlessEmpty(\.username, to: post.author.name)
      return
    }
    importAuthor(post.author, user)
    if !post.author.name.isEmpty {
      user.update(\.canReceivePrivateMessages, to: post.authorCanReceivePrivateMessages)
    }
  }

  private func importAuthor(_ author: AuthorSidebar, _ user: User) {
    user.updateUnlessEmpty(\.username, to: author.name)
    guard !author.name.isEmpty else { return }
    user.update(\.administrator, to: author.isAdministrator)
    user.update(\.moderator, to: author.isModerator)
    user.update(\.authorClasses, to: author.otherClasses.joined(separator: " "))
    user.update(\.customTitleHTML, to: author.customTitleHTML)
    guard let registered = author.registered else { return }
    user.update(\.regdateRaw, to: registered.printed)
    user.updateIfPresent(\.regdate, to: registered.date)
  }

  /// Finds or creates the user beside a message or in a profile, and merges a row known only by name into that user.
  ///
  /// - Returns: The user, by id or else by name, or nil if the sidebar has neither.
  func importAuthor(_ author: AuthorSidebar) throws -> User? {
    let placeholderID = UserMerger.placeholderID(forName: author.name)
    guard let id = author.userID ?? (author.name.isEmpty ? nil : placeholderID) else { return nil }
    let users = try UpsertBatch<User>(in: context, key: "userID", values: [id, placeholderID])
    let user = users[id]
    importAuthor(author, user)
    if id != placeholderID, let other = users.existing(placeholderID) {
      UserMerger.merge(other, into: user)
    }
    return user
  }
}
