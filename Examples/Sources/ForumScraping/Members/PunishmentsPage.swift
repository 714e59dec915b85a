import ForumHTML

/// One page of the list of punishments.
public struct PunishmentsPage: Sendable, Equatable {
  /// The kind of a punishment.
  public enum Sentence: String, Sendable {
    /// The site's terms, in the order in which they are tested.
    case probation, autoban, permaban, ban
    /// A term that the scraper does not know.
    case unknown
  }

  /// A user named in a row.
  public struct Person: Sendable, Equatable {
    /// The user's id.
    public let userID: String?
    /// The user's name.
    public let name: String
  }

  /// One punishment.
  public struct Punishment: Sendable, Equatable {
    /// The kind of the punishment.
    public let sentence: Sentence
    /// The punished post; nil if there is none.
    public let postID: String?
    /// The date of the punishment.
    public let decided: PrintedDate?
    /// The punished user.
    public let subject: Person
    /// The reason, as markup.
    public let reasonHTML: String
    /// The user who requested the punishment.
    public let requester: Person?
    /// The user who approved the punishment.
    public let approver: Person?
  }

  /// The page number and the number of pages.
  public let pages: PageNumbers
  /// The punishments, newest first.
  public let punishments: [Punishment]

  init(_ document: HTMLDocument) throws {
    guard try document.first("table.standard") != nil else {
      throw PageError(
        .missingMarker, "The page has no list of punishments.", marker: "table.standard")
    }
    pages = try PageNumbers(of: document)
    var punishments: [Punishment] = []
    for row in try document.select("table.standard tr") {
      if let punishment = try Self.punishment(row) { punishments.append(punishment) }
    }
    self.punishments = punishments
  }

  private static func punishment(_ row: HTMLElement) throws -> Punishment? {
    let cells = row.children.filter { $0.name == "td" }
    guard cells.count >= 4 else { return nil }
    guard let subject = try person(in: cells[2]) else { return nil }
    return Punishment(
      sentence: sentence(cells[0].trimmedText),
      postID: Link.parameter("postid", in: try cells[0].first("a[href*='postid=']")?["href"]),
      decided: PrintedDate(cells[1].text), subject: subject,
      reasonHTML: cells[3].innerHTML.trimmingWhitespace,
      requester: cells.count > 4 ? try person(in: cells[4]) : nil,
      approver: cells.count > 5 ? try person(in: cells[5]) : nil)
  }

  private static func person(in cell: HTMLElement) throws -> Person? {
    let link = try cell.first("a[href*='userid=']")
    guard let name = (link ?? cell).trimmedText.nonEmpty else { return nil }
    return Person(userID: Link.parameter("userid", in: link?["href"]), name: name)
  }

  /// Returns the kind that a term names, testing the terms in a fixed order because some contain others.
  private static func sentence(_ word: String) -> Sentence {
    let word = word.uppercased()
    if word.contains("PROBATION") { return .probation }
    if word.contains("AUTOBAN") { return .autoban }
    if word.contains("PERMABAN") { return .permaban }
    return word.contains("BAN") ? .ban : .unknown
  }
}
