import CoreData
import ForumScraping
import OpenPersistenceKit

/// Makes one user of several rows: those with the same id, and rows that were known by name only.
///
/// Nothing is saved. Confined to the context.
enum UserMerger {
  /// What the ids of users begin with who are known by name only.
  private static let placeholder = "unknown-"

  /// The id of a user who is known by name only.
  static func placeholderID(forName name: String) -> String { placeholder + name }

  /// Makes one user of each row that is known by name only and the row with an id that has the same name.
  ///
  /// - Throws: What a fetch throws.
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

  /// Moves what belongs to one row to another, and deletes it. What the other row knows stays.
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
