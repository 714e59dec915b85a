import CoreData
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Imports a member's profile. Values that the page omits stay unchanged; values that it shows as empty become empty.
///
/// Confined to its context.
struct ProfileImporter {
  private let context: NSManagedObjectContext

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Imports a profile. Creates the user's profile if it does not exist; a user has one profile.
  ///
  /// - Throws: `PageError` with code `.missingMarker` if the profile does not identify its user, or any error from a fetch.
  func importProfile(_ page: ProfilePage) throws {
    guard let user = try AuthorImporter(context).importAuthor(page.author) else {
      throw page.missingUser
    }
    // The site does not show guests who accepts messages.
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
    if let picture = page.picture {
      profile.update(\.profilePictureURL, to: address(ofImage: picture))
    }
  }

  /// Returns the URL for a text, or nil if the text is empty or is not an HTTP or HTTPS address.
  private func address(_ text: String) -> URL? {
    guard let address = URL(string: text), ["http", "https"].contains(address.scheme?.lowercased())
    else { return nil }
    return address
  }

  /// Returns the URL for a text, which can be relative to the site's address, or nil if the text is empty or has another scheme.
  private func address(ofImage text: String) -> URL? {
    guard let image = URL(string: text), image.scheme == nil else { return address(text) }
    return text.isEmpty ? nil : image
  }
}
