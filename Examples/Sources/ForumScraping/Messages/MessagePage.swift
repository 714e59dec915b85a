import ForumHTML

/// One private message.
public struct MessagePage: Sendable, Equatable {
  /// The message's id.
  public let id: String
  /// The subject.
  public let subject: String
  /// The author.
  public let author: AuthorSidebar
  /// The date of sending.
  public let sent: PrintedDate?
  /// The status of the message for the reader.
  public let status: MessageStatus
  /// The body as uncleaned markup.
  public let bodyHTML: String
  /// The form that deletes the message; nil if the page has none.
  public let deletionForm: ScrapedForm?

  init(_ document: HTMLDocument) throws {
    guard let id = try Self.id(of: document) else {
      throw PageError(
        .missingMarker, "The page does not identify a message.",
        marker: "a[href*='privatemessageid=']")
    }
    guard let place = try document.first("table.post") else {
      throw PageError(.missingMarker, "The page has no message.", marker: "table.post")
    }
    self.id = id
    subject = Self.subject(in: try ForumReference.trail(of: document))
    author = try AuthorSidebar(in: place, linkSelector: "ul.profilelinks a[href*='userid=']")
    let date = try place.first("td.postdate")
    sent = PrintedDate(ScrapedPost.lastText(in: date))
    status = MessageStatus(imageAddress: try date?.first("img")?["src"])
    bodyHTML = try place.first("td.postbody")?.innerHTML.trimmingWhitespace ?? ""
    deletionForm = try ScrapedForm.first(of: document, action: "dodelete")
  }

  /// Returns the message's id from the reply link or from the form that deletes the message.
  private static func id(of document: HTMLDocument) throws -> String? {
    let reply =
      try document.first("div.buttons a[href*='privatemessageid=']")
      ?? document.first("a[href*='action=newmessage'][href*='privatemessageid=']")
    return try Link.parameter("privatemessageid", in: reply?["href"])
      ?? document.first("input[name='privatemessageid']")?["value"]?.nonEmpty
  }

  /// Returns the last part of the breadcrumbs.
  private static func subject(in trail: HTMLElement?) -> String {
    let last = trail?.textRuns.last { !$0.trimmingWhitespace.isEmpty }
    guard var subject = last?.trimmingWhitespace else { return "" }
    if subject.hasPrefix(">") { subject = subject.dropFirst().trimmingWhitespace }
    return subject
  }
}
