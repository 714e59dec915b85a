import ForumHTML

/// A member's profile.
public struct ProfilePage: Sendable, Equatable {
  /// Who the profile is about.
  public let author: AuthorSidebar
  /// Whether the member takes private messages.
  public let canReceivePrivateMessages: Bool
  /// The gender in the site's words.
  public let gender: String?
  /// The text about the member as markup.
  public let aboutHTML: String
  /// A contact name; empty when not set.
  public let icq: String
  /// A contact name; empty when not set.
  public let aim: String
  /// A contact name; empty when not set.
  public let yahoo: String
  /// The address of the home page.
  public let homepage: String?
  /// The address of the profile picture.
  public let picture: String?
  /// The number of posts.
  public let postCount: Int?
  /// Posts a day, as printed.
  public let postRate: String
  /// When the member last posted.
  public let lastPosted: PrintedDate?
  /// The day the member registered, as printed.
  public let memberSince: String
  /// The place; empty when not told.
  public let location: String
  /// The interests; empty when not told.
  public let interests: String
  /// The occupation; empty when not told.
  public let occupation: String

  init(_ document: HTMLDocument) throws {
    guard let info = try document.first("td.info") else {
      throw PageError(.missingMarker, "The page has no profile.", marker: "td.info")
    }
    author = try AuthorSidebar(in: document.body, linkSelector: Self.authorLinks)
    canReceivePrivateMessages = try info.first("dt.pm + dd a[href*='private.php']") != nil
    gender = Self.gender(in: try info.first("p:first-of-type")?.text)
    aboutHTML = try info.first("p:nth-of-type(2)")?.innerHTML.trimmingWhitespace ?? ""
    icq = try Self.contact("icq", in: info)
    aim = try Self.contact("aim", in: info)
    yahoo = try Self.contact("yahoo", in: info)
    homepage =
      try info.first("dt.homepage + dd a")?["href"] ?? Self.contact("homepage", in: info).nonEmpty
    picture = try info.first("div.userpic img, .userpic img")?["src"]
    let facts = try Self.facts(in: info)
    postCount = facts["post count"]?.wholeNumber
    postRate = facts["post rate"]?.split(separator: " ").first.map(String.init) ?? ""
    lastPosted = PrintedDate(facts["last post"])
    memberSince = facts["member since"] ?? ""
    location = facts["location"] ?? ""
    interests = facts["interests"] ?? ""
    occupation = facts["occupation"] ?? ""
  }

  private static let authorLinks = "th a[href*='userid='], td.info a[href*='userid=']"

  private static func gender(in text: String?) -> String? {
    guard let text, let start = text.firstRange(of: "claims to be a") else { return nil }
    var rest = text[start.upperBound...]
    if rest.hasPrefix("n ") { rest = rest.dropFirst() }
    return rest.prefix { $0 != "." }.trimmingWhitespace.nonEmpty
  }

  private static func contact(_ name: String, in info: HTMLElement) throws -> String {
    guard let value = try info.first("dt.\(name) + dd"), try value.first(".unset") == nil else {
      return ""
    }
    let text = value.trimmedText
    return text == "not set" ? "" : text
  }

  /// The labelled facts, by label in lower case.
  private static func facts(in info: HTMLElement) throws -> [String: String] {
    var facts: [String: String] = [:]
    for label in try info.select("dl.additional dt") {
      guard let value = label.nextElement, value.name == "dd" else { continue }
      facts[label.trimmedText.lowercased()] = value.trimmedText
    }
    return facts
  }
}
