public import CoreData
public import Foundation

/// A person with libraries. The entity is named User.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class LibraryUser: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The unique user name.
  @Managed public var username: String
  /// The email address.
  @Managed public var email: String?
  /// The date the user was added.
  @Managed public var createdAt: Date
  /// The date of the user's last login.
  @Managed public var lastLoginAt: Date?
  /// The user's preferences by name.
  @Managed public var preferences: NSDictionary?
  /// The libraries.
  @Managed public var libraries: Set<Library>

  /// Sets the id and date of a new user.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
  }
}
