public import ForumHTML

/// A member's profile.
public struct ProfilePage: Sendable, Equatable {
  /// Who the profile is about.
  public let author: AuthorSidebar
  /// Whether the page was made for a reader who is logged in; else it does not tell who takes messages.
  public let isForMember: Bool
  /// Whether the member takes private messages.
  public let canReceivePrivateMessages: Bool
  /// The gender in the site's words; nil when not told.
  public let gender: String?
  /// The text about the member as markup; nil when the page has none.
  public let aboutHTML: String?
  /// A contact name; empty when not set, nil when the page leaves it out.
  public let icq: String?
  /// A contact name; empty when not set, nil when the page leaves it out.
  public let aim: String?
  /// A contact name; empty when not set, nil when the page leaves it out.
  public let yahoo: String?
  /// The address of the home page; empty when not set, nil when the page leaves it out.
  public let homepage: String?
  /// The address of the profile picture; nil when the page has none.
  public let picture: String?
  /// The number of posts.
  public let postCount: Int?
  /// Posts a day, as printed; nil when the page leaves it out.
  public let postRate: String?
  /// When the member last posted.
  public let lastPosted: PrintedDate?
  /// The day the member registered, as printed; nil when the page leaves it out.
  public let memberSince: String?
  /// The place; nil when the page leaves it out.
  public let location: String?
  /// The interests; nil when the page leaves them out.
  public let interests: String?
  /// The occupation; nil when the page leaves it out.
  public let occupation: String?

  /// The error for a profile of which the page does not say whose it is.
  public var missingUser: PageError {
    PageError(.missingMarker, "The page names no member.", marker: Self.authorLinks)
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
