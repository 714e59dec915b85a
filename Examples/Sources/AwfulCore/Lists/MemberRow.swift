public import CoreData
import Foundation

/// A member of the site with the profile, as a value independent of its context.
public struct MemberRow: Sendable, Equatable {
  /// A member's profile and post statistics.
  public struct Profile: Sendable, Equatable {
    /// The member's self-description as markup; empty if there is none.
    public let aboutHTML: String
    /// Labelled facts in the site's words, without those that the member does not state.
    public let facts: [Fact]
    /// The date when the member last posted.
    public let lastPostDate: Date?
    /// The home page.
    public let homepage: URL?
    /// The profile picture.
    public let picture: URL?
  }

  /// A fact with its label.
  public struct Fact: Sendable, Equatable {
    /// The label.
    public let label: String
    /// The text.
    public let text: String
  }

  /// The id on the site.
  public let userID: String
  /// The name; empty if no page has shown it.
  public let name: String
  /// The member's role on the site, in words; empty for members without one.
  public let role: String
  /// Whether the member accepts private messages.
  public let takesMessages: Bool
  /// The custom title as markup; empty if there is none.
  public let titleHTML: String
  /// The registration date as the site prints it; empty if no page has shown it.
  public let printedRegistration: String
  /// The profile; nil until it is read.
  public let profile: Profile?

  /// Creates a row from a member. Call this initializer on the queue of its context.
  public init(_ user: User) {
    userID = user.userID
    name = user.username ?? ""
    role = user.administrator ? "Administrator" : user.moderator ? "Moderator" : ""
    takesMessages = user.canReceivePrivateMessages
    titleHTML = user.customTitleHTML ?? ""
    printedRegistration = user.regdateRaw ?? user.profile?.regdateRaw ?? ""
    profile = user.profile.map { profile in
      let texts: [(String, String?)] = [
        ("Posts", "\(profile.postCount)"), ("Posts per day", profile.postRate),
        ("Gender", profile.gender), ("Location", profile.location),
        ("Interests", profile.interests), ("Occupation", profile.occupation),
      ]
      return Profile(
        aboutHTML: profile.aboutMe ?? "",
        facts: texts.compactMap { label, text in
          text.flatMap { $0.isEmpty ? nil : Fact(label: label, text: $0) }
        }, lastPostDate: profile.lastPostDate, homepage: profile.homepageURL,
        picture: profile.profilePictureURL)
    }
  }
}
