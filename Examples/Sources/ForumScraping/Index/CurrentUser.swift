public import Foundation

/// The reader's own account according to the forum index; a property is nil if the index does not contain it.
public struct CurrentUser: Sendable, Equatable {
  /// The user's id.
  public let userID: String
  /// The user's name.
  public let name: String
  /// Whether the user accepts private messages.
  public let canReceivePrivateMessages: Bool?
  /// The gender in the site's terms: male, female or porpoise.
  public let gender: String?
  /// The number of posts.
  public let postCount: Int?
  /// The number of posts per day.
  public let postRate: String?
  /// The text about the user.
  public let about: String?
  /// The address of the home page.
  public let homepage: String?
  /// The AIM name.
  public let aim: String?
  /// The ICQ number.
  public let icq: String?
  /// The Yahoo name.
  public let yahoo: String?
  /// The location.
  public let location: String?
  /// The interests.
  public let interests: String?
  /// The occupation.
  public let occupation: String?
  /// The address of the profile picture.
  public let picture: String?
  /// The custom title, as markup.
  public let customTitleHTML: String?
  /// The site's identifier of the account's role.
  public let role: String?
  /// The Unix time of the registration; only the day is reliable.
  public let registeredSeconds: Int?
  /// The Unix time of the last post; only the day is reliable.
  public let lastPostSeconds: Int?

  /// The date of the registration.
  public var registered: Date? {
    registeredSeconds.map { Date(timeIntervalSince1970: Double($0)) }
  }

  /// The date of the last post.
  public var lastPosted: Date? {
    lastPostSeconds.map { Date(timeIntervalSince1970: Double($0)) }
  }

  init?(_ fields: LooseFields) {
    let values = fields.values
    guard let id = values["userid"]?.text.nonEmpty, id != "0" else { return nil }
    userID = id
    name = values["username"]?.text ?? ""
    canReceivePrivateMessages = values["receivepm"]?.isTrue
    gender = values["gender"].map { Self.gender(for: $0.text) }
    postCount = values["posts"]?.number
    postRate = values["postsperday"]?.text
    about = values["biography"]?.text
    homepage = values["homepage"]?.text
    aim = values["aim"]?.text
    icq = values["icq"]?.text
    yahoo = values["yahoo"]?.text
    location = values["location"]?.text
    interests = values["interests"]?.text
    occupation = values["occupation"]?.text
    picture = values["picture"]?.text
    customTitleHTML = values["usertitle"]?.text
    role = values["role"]?.text
    registeredSeconds = values["joindate"]?.number
    lastPostSeconds = values["lastpost"]?.number
  }

  private static func gender(for letter: String) -> String {
    switch letter.uppercased() {
    case "M": "male"
    case "F": "female"
    default: "porpoise"
    }
  }
}
