public import CoreData

/// A user's profile and post statistics.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Profile: NSManagedObject {
  /// The user's self-description as markup, as the site sent it.
  @Managed public var aboutMe: String?
  /// The location.
  @Managed public var location: String?
  /// The interests.
  @Managed public var interests: String?
  /// The occupation.
  @Managed public var occupation: String?
  /// The gender in the site's words.
  @Managed public var gender: String?
  /// The number of posts.
  @Managed public var postCount: Int32
  /// The number of posts per day, as the site prints it.
  @Managed public var postRate: String?
  /// The date when the user last posted.
  @Managed public var lastPostDate: Date?
  /// The date as the site prints it.
  @Managed public var lastPostDateRaw: String?
  /// The registration date as the site prints it.
  @Managed public var regdateRaw: String?
  /// The home page.
  @Managed public var homepageURL: URL?
  /// The profile picture.
  @Managed public var profilePictureURL: URL?
  /// The user.
  @Managed public var user: User?
}
