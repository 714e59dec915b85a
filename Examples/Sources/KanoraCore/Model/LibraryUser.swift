public import CoreData
public import Foundation

/// A person with libraries; the entity is called User.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class LibraryUser: NSManagedObject {
  /// The id.
  @Managed public var id: UUID
  /// The name, which no other user has.
  @Managed public var username: String
  /// The address for mail.
  @Managed public var email: String?
  /// When the user was added.
  @Managed public var createdAt: Date
  /// When the user last logged in.
  @Managed public var lastLoginAt: Date?
  /// The user's choices by name.
  @Managed public var preferences: NSDictionary?
  /// The libraries.
  @Managed public var libraries: Set<Library>

  /// Gives a new user its id and date.
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    id = UUID()
    createdAt = Date()
  }
}
