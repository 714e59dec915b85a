public import CoreData
import Foundation

/// A member of the site with the profile, apart from their context.
public struct MemberRow: Sendable, Equatable {
  /// What a member tells, and how much the member has posted.
  public struct Profile: Sendable, Equatable {
    /// The text about the member as markup; empty when there is none.
    public let aboutHTML: String
    /// Facts in the site's words with their labels, without those that the member does not tell.
    public let facts: [Fact]
    /// When the member last posted.
    public let lastPostDate: Date?
    /// The home page.
    public let homepage: URL?
    /// The profile picture.
    public let picture: URL?
  }

  /// A fact with its label.
  public struct Fact: Sendable, Equatable {
    /// What it is about.
    public let label: String
    /// The fact.
    public let text: String
  }

  /// The site's id.
  public let userID: String
  /// The name; empty when no page told it.
  public let name: String
  /// What the member is on the site, in words; empty for one without an office.
  public let role: String
  /// Whether the member takes private messages.
  public let takesMessages: Bool
  /// The custom title as markup; empty when there is none.
  public let titleHTML: String
  /// The day the member registered, as the site prints it; empty when no page told it.
  public let printedRegistration: String
  /// The profile; nil before it was read.
  public let profile: Profile?

  /// Reads a member; call on the queue of its context.
  public init(_ user: User) {
    userID = user.userID
    name = user.username ?? ""
    role = user.administrator ? "Administrator" : user.moderator ? "Moderator" : ""
    takesMessages = user.canReceivePrivateMessages
    titleHTML = user.customTitleHTML ?? ""
    printedRegistration = user.regdateRaw ?? user.profile?.regdateRaw ?? ""
    profile = user.profile.map { profile in
      let texts: [(String, String?)] = [
        ("Posts", "\(profile.postCount)"), ("Posts a day", profile.postRate),
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
