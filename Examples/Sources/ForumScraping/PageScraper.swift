public import ForumHTML

/// Reads a page: decodes and parses it, checks it for the site's errors, determines its kind and scrapes it.
///
/// Stateless and safe to use from any thread. The scraper never fetches or stores pages.
public enum PageScraper {
  /// A scraped page, and whether the page is complete.
  public struct Reading: Sendable {
    /// The scraped page.
    public let page: ScrapedPage
    /// The error of a page that ends before `</html>`, so that its last contents may be missing; nil for a complete page.
    public let truncation: PageError?
  }

  /// Reads a complete page.
  ///
  /// - Parameters:
  ///   - bytes: The page as received.
  ///   - contentType: Its `Content-Type` header.
  ///   - address: Its final address, fragment included.
  /// - Returns: The scraped page.
  /// - Throws: `PageError` if the bytes are not a page of the forum, or only a part of one.
  public static func scrape(
    _ bytes: [UInt8], contentType: String? = nil, address: String? = nil
  ) throws -> ScrapedPage {
    let reading = try read(bytes, contentType: contentType, address: address)
    if let truncation = reading.truncation { throw truncation }
    return reading.page
  }

  /// Reads a page whose end may be missing.
  ///
  /// - Parameters:
  ///   - bytes: The page as received.
  ///   - contentType: Its `Content-Type` header.
  ///   - address: Its final address, fragment included.
  /// - Returns: The scraped page, and whether its end is missing.
  /// - Throws: `PageError` if the bytes are not a page of the forum.
  public static func read(
    _ bytes: [UInt8], contentType: String? = nil, address: String? = nil
  ) throws -> Reading {
    if let first = bytes.first(where: { !isSpace($0) }), isJSON(first) {
      return Reading(page: .index(try index(of: bytes)), truncation: nil)
    }
    let text = try PageDecoder.text(of: bytes, contentType: contentType)
    let document = try HTMLParser.parse(text)
    do {
      let page = try scrape(document, address: address)
      return Reading(page: page, truncation: truncation(of: page, bytes))
    } catch let error as PageError {
      throw explained(error, bytes)
    }
  }

  /// Parses the forum index; JSON is UTF-8, whatever the header states.
  private static func index(of bytes: [UInt8]) throws -> ForumIndex {
    let text = try PageDecoder.text(of: bytes, contentType: "application/json; charset=utf-8")
    return try ForumIndex(json: text)
  }

  private static func scrape(
    _ document: HTMLDocument, address: String?
  ) throws -> ScrapedPage {
    if let error = try ForumErrorPage.find(in: document) { return .error(error) }
    let body = document.body
    if body.hasClass("standardredirect") { return .redirect(try RedirectPage(document)) }
    if body.hasClass("showthread") { return .thread(try ThreadPage(document, address: address)) }
    if body.hasClass("showpost") { return .singlePost(try SinglePostPage(document)) }
    if let form = try FormPage.find(in: document) { return .form(form) }
    if let page = try search(document) { return page }
    if let page = try list(document) { return page }
    if let page = try members(document) { return page }
    if let page = try posts(document, address: address) { return page }
    throw PageError(
      .missingMarker, "The page is not a known page of the forum.",
      marker: body["id"] == "something_awful" ? "table.post, tr.thread" : siteMarker)
  }

  /// The marker that every page of the forum has. A `PageError` with this marker concerns a page of another site.
  package static let siteMarker = "body#something_awful"

  private static func search(_ document: HTMLDocument) throws -> ScrapedPage? {
    if try document.first(".search_result, .search_results") != nil {
      return .searchResults(try SearchResultsPage(document))
    }
    if try document.first(".search_forum") != nil {
      return .searchForm(try SearchFormPage(document))
    }
    if try document.first("#search_info") != nil {
      return .searchResults(try SearchResultsPage(document))
    }
    return nil
  }

  private static func list(_ document: HTMLDocument) throws -> ScrapedPage? {
    let body = document.body
    let isThreadList =
      try body.hasClass("forumdisplay") || body.hasClass("bookmark_threads")
      || document.first("tr.thread, table.threadlist, form[name='bookmarks']") != nil
    if isThreadList { return .threadList(try ThreadListPage(document)) }
    if body.hasClass("banlist") { return .punishments(try PunishmentsPage(document)) }
    return nil
  }

  private static func members(_ document: HTMLDocument) throws -> ScrapedPage? {
    let body = document.body
    let isMessage = try body.hasClass("privmsg") || document.first("#thread.pm") != nil
    if isMessage { return .message(try MessagePage(document)) }
    let isFolder =
      try body.hasClass("privfolder")
      || document.first("form.folder, td.title a[href*='privatemessageid=']") != nil
    if isFolder { return .messageList(try MessageListPage(document)) }
    let isProfile =
      try body.hasClass("getinfo") || document.first("dl.contacts, dl.additional") != nil
    return isProfile ? .profile(try ProfilePage(document)) : nil
  }

  private static func posts(
    _ document: HTMLDocument, address: String?
  ) throws -> ScrapedPage? {
    if document.body["data-thread"] != nil {
      return .thread(try ThreadPage(document, address: address))
    }
    guard let place = try document.first("#thread") else { return nil }
    if Link.number(after: "thread:", inClassesOf: place) != nil {
      return try document.first("div.pages") == nil
        ? .singlePost(try SinglePostPage(document))
        : .thread(try ThreadPage(document, address: address))
    }
    let isAnnouncements = try place.first("table.post td.postbody") != nil
    return isAnnouncements ? .announcements(try AnnouncementsPage(document)) : nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte) || [0xEF, 0xBB, 0xBF].contains(byte)
  }

  private static func isJSON(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
  }

  /// Returns the error of an incomplete page. Pages that carry data end with the closing tag; the site's short notices may not.
  private static func truncation(of page: ScrapedPage, _ bytes: [UInt8]) -> PageError? {
    switch page {
    case .index, .error, .redirect: return nil
    default: return isWhole(bytes) ? nil : truncation(bytes)
    }
  }

  /// Returns a truncation error in place of a missing marker if the page has no end.
  private static func explained(_ error: PageError, _ bytes: [UInt8]) -> PageError {
    guard error.code == .missingMarker, !isWhole(bytes) else { return error }
    return PageError(
      .truncated, "The page is incomplete or is not a page of the forum: \(error.message)",
      position: bytes.count, marker: error.marker)
  }

  private static func truncation(_ bytes: [UInt8]) -> PageError {
    PageError(
      .truncated, "The page is incomplete: its closing tag is missing.", position: bytes.count,
      marker: "</html>")
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let wanted = Array("</html".utf8)
    var place = bytes.count - wanted.count
    while place >= 0 {
      if bytes[place] == wanted[0],
        zip(bytes[place...], wanted).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 })
      {
        return true
      }
      place -= 1
    }
    return false
  }
}
