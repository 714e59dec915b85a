import CoreData
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Imports a member's profile. What the page leaves out stays as it is; what it shows empty becomes empty.
///
/// Confined to its context.
struct ProfileImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports a profile; each user has one, made when there is none.
  ///
  /// - Throws: What a fetch throws, or `PageError` with `.missingMarker` for a profile of an unknown user.
  func importProfile(_ page: ProfilePage) throws {
    guard let user = try AuthorImporter(context).importAuthor(page.author) else {
      throw page.missingUser
    }
    // A guest is not told who takes messages.
    if page.isForMember {
      user.update(\.canReceivePrivateMessages, to: page.canReceivePrivateMessages)
    }
    let profile = user.profile ?? Profile(context: context)
    profile.update(\.user, to: user)
    profile.updateIfPresent(\.aboutMe, to: page.aboutHTML)
    profile.updateIfPresent(\.location, to: page.location)
    profile.updateIfPresent(\.interests, to: page.interests)
    profile.updateIfPresent(\.occupation, to: page.occupation)
    profile.updateIfPresent(\.gender, to: page.gender)
    profile.updateIfPresent(\.postRate, to: page.postRate)
    profile.updateIfPresent(\.regdateRaw, to: page.memberSince)
    if let count = page.postCount { profile.update(\.postCount, to: Int32(clamping: count)) }
    if let posted = page.lastPosted {
      profile.update(\.lastPostDateRaw, to: posted.printed)
      profile.updateIfPresent(\.lastPostDate, to: posted.date)
    }
    if let homepage = page.homepage { profile.update(\.homepageURL, to: address(homepage)) }
    if let picture = page.picture { profile.update(\.profilePictureURL, to: address(picture)) }
  }

  /// The address that a text is; nil for an empty one, and for one that no browser would follow from the profile.
  private func address(_ text: String) -> URL? {
    guard let address = URL(string: text), ["http", "https"].contains(address.scheme?.lowercased())
    else { return nil }
    return address
  }
}
