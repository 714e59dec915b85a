public import CoreData

/// What a user tells about itself, and how much the user has posted.
///
/// > Concurrency: Confined to the queue of its context.
@ManagedObject
public class Profile: NSManagedObject {
  /// The text about the user as markup, as the site sent it.
  @Managed public var aboutMe: String?
  /// The place.
  @Managed public var location: String?
  /// The interests.
  @Managed public var interests: String?
  /// The occupation.
  @Managed public var occupation: String?
  /// The gender in the site's words.
  @Managed public var gender: String?
  /// The number of posts.
  @Managed public var postCount: Int32
  /// Posts a day, as the site prints it.
  @Managed public var postRate: String?
  /// When the user last posted.
  @Managed public var lastPostDate: Date?
  /// The date as the site prints it.
  @Managed public var lastPostDateRaw: String?
  /// The day the user registered, as the site prints it.
  @Managed public var regdateRaw: String?
  /// The home page.
  @Managed public var homepageURL: URL?
  /// The profile picture.
  @Managed public var profilePictureURL: URL?
  /// The user.
  @Managed public var user: User?
}
