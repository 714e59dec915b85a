import CoreData
import ForumScraping
import OpenPersistenceKit

/// Merges rows of one user: rows that were known only by name, and the row with the user's id.
///
/// Does not save. Confined to the context.
enum UserMerger {
  /// The prefix of the ids of users who are known only by name.
  private static let placeholder = "unknown-"

  /// Returns the placeholder id of a user who is known only by name.
  static func placeholderID(forName name: String) -> String { placeholder + name }

  /// Merges each row that is known only by name into the row that has an id and the same name.
  ///
  /// - Throws: Any error from a fetch.
  static func mergeDuplicates(in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<User>(entityName: "User")
    request.predicate = NSPredicate(
      format: "userID BEGINSWITH %@", argumentArray: [placeholder])
    let unknown = try context.fetch(request)
    if unknown.isEmpty { return }
    let names = unknown.compactMap(\.username)
    request.predicate = NSPredicate(
      format: "username IN %@ AND NOT (userID BEGINSWITH %@)", argumentArray: [names, placeholder])
    request.sortDescriptors = [NSSortDescriptor(key: "userID", ascending: true)]
    let known = Dictionary(
      try context.fetch(request).map { ($0.username ?? "", $0) },
      uniquingKeysWith: { one, _ in one })
    for other in unknown {
      if let user = other.username.flatMap({ known[$0] }) { merge(other, into: user) }
    }
  }

  /// Moves the related objects of one row to another, and deletes the first row. The values of the remaining row take precedence.
  static func merge(_ other: User, into user: User) {
    guard other !== user, let context = other.managedObjectContext else { return }
    for (key, relationship) in other.entity.relationshipsByName where relationship.isToMany {
      let members = other.mutableSetValue(forKey: key).allObjects
      let joined = user.mutableSetValue(forKey: key)
      for member in members { joined.add(member) }
    }
    if user.profile == nil, let profile = other.profile { profile.user = user }
    user.updateIfPresent(\.username, to: user.username ?? other.username)
    context.delete(other)
  }
}
