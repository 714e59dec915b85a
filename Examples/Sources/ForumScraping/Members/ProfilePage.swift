public import ForumHTML

/// A member's profile.
public struct ProfilePage: Sendable, Equatable {
  /// The member whom the profile describes.
  public let author: AuthorSidebar
  /// Whether the site created the page for a logged-in reader; otherwise the page does not show who accepts messages.
  public let isForMember: Bool
  /// Whether the member accepts private messages.
  public let canReceivePrivateMessages: Bool
  /// The gender in the site's terms; nil if the page does not contain it.
  public let gender: String?
  /// The text about the member, as markup; nil if the page does not contain it.
  public let aboutHTML: String?
  /// The ICQ number; empty if not set, nil if the page does not contain it.
  public let icq: String?
  /// The AIM name; empty if not set, nil if the page does not contain it.
  public let aim: String?
  /// The Yahoo name; empty if not set, nil if the page does not contain it.
  public let yahoo: String?
  /// The address of the home page; empty if not set, nil if the page does not contain it.
  public let homepage: String?
  /// The address of the profile picture; nil if the page does not contain it.
  public let picture: String?
  /// The number of posts.
  public let postCount: Int?
  /// The number of posts per day, as printed; nil if the page does not contain it.
  public let postRate: String?
  /// The date of the member's last post.
  public let lastPosted: PrintedDate?
  /// The day of the registration, as printed; nil if the page does not contain it.
  public let memberSince: String?
  /// The location; nil if the page does not contain it.
  public let location: String?
  /// The interests; nil if the page does not contain them.
  public let interests: String?
  /// The occupation; nil if the page does not contain it.
  public let occupation: String?

  /// The error for a profile page that does not identify its member.
  public var missingUser: PageError {
    PageError(.missingMarker, "The page does not identify a member.", marker: Self.authorLinks)
  }

  init(_ document: HTMLDocument) throws {
    guard let info = try document.first("td.info") else {
      throw PageError(.missingMarker, "The page has no profile.", marker: "td.info")
    }
    author = try AuthorSidebar(in: document.body, linkSelector: Self.authorLinks)
    isForMember = try document.isForMember
    canReceivePrivateMessages = try info.first("dt.pm + dd a[href*='private.php']") != nil
    gender = Self.gender(in: try info.first("p:first-of-type")?.text)
    aboutHTML = try info.first("p:nth-of-type(2)")?.innerHTML.trimmingWhitespace
    icq = try Self.contact("icq", in: info)
    aim = try Self.contact("aim", in: info)
    yahoo = try Self.contact("yahoo", in: info)
    homepage =
      try info.first("dt.homepage + dd a")?["href"] ?? Self.contact("homepage", in: info)
    picture = try info.first("div.userpic img, .userpic img")?["src"]
    let facts = try Self.facts(in: info)
    postCount = facts["post count"]?.wholeNumber
    postRate = facts["post rate"]?.split(separator: " ").first.map(String.init)
    lastPosted = PrintedDate(facts["last post"])
    memberSince = facts["member since"]
    location = facts["location"]
    interests = facts["interests"]
    occupation = facts["occupation"]
  }

  private static let authorLinks = "th a[href*='userid='], td.info a[href*='userid=']"

  private static func gender(in text: String?) -> String? {
    guard let text, let start = text.firstRange(of: "claims to be a") else { return nil }
    var rest = text[start.upperBound...]
    if rest.hasPrefix("n ") { rest = rest.dropFirst() }
    return rest.prefix { $0 != "." }.trimmingWhitespace.nonEmpty
  }

  private static func contact(_ name: String, in info: HTMLElement) throws -> String? {
    guard let value = try info.first("dt.\(name) + dd") else { return nil }
    if try value.first(".unset") != nil { return "" }
    let text = value.trimmedText
    return text == "not set" ? "" : text
  }

  /// Returns the labeled facts by their labels in lower case.
  private static func facts(in info: HTMLElement) throws -> [String: String] {
    var facts: [String: String] = [:]
    for label in try info.select("dl.additional dt") {
      guard let value = label.nextElement, value.name == "dd" else { continue }
      facts[label.trimmedText.lowercased()] = value.trimmedText
    }
    return facts
  }
}
