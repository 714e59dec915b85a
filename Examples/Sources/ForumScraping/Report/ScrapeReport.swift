public import ForumHTML
import Foundation

/// The scraped contents of one page as JSON for tools: the page's name, its kind and all facts.
public struct ScrapeReport: Sendable, Encodable {
  /// The name of the page's file.
  public let page: String
  /// The kind of the page.
  public let kind: PageKind.RawValue
  /// The facts by name.
  public let facts: [String: ReportValue]

  /// Creates a report of a page that was read.
  ///
  /// - Parameters:
  ///   - reading: The scraped page.
  ///   - name: The name of the page's file.
  /// - Throws: `PageError` if a stored body cannot be parsed again.
  public init(_ reading: PageScraper.Reading, of name: String) throws {
    page = name
    kind = reading.page.kind.rawValue
    var facts = try Self.facts(of: reading.page)
    if reading.truncation != nil { facts["truncated"] = .flag(true) }
    self.facts = facts
  }

  /// Creates a report of a page that could not be read.
  ///
  /// - Parameters:
  ///   - error: The error of reading the page.
  ///   - name: The name of the page's file.
  public init(_ error: PageError, of name: String) {
    page = name
    kind = PageKind.errorPage.rawValue
    facts = [
      "errorKind": .text("scraping"), "code": .text(error.code.rawValue),
      "marker": .text(error.marker), "position": .number(error.position), "title": .null,
      "message": .text(error.message),
    ]
  }

  private static func facts(of page: ScrapedPage) throws -> [String: ReportValue] {
    switch page {
    case .thread(let page): try page.reportFacts()
    case .singlePost(let page): try page.reportFacts()
    case .threadList(let page): page.reportFacts()
    case .index(let index): index.reportFacts()
    case .error(let error): error.reportFacts()
    case .redirect(let page): page.reportFacts()
    case .announcements(let page): try page.reportFacts()
    case .profile(let page): try page.reportFacts()
    case .punishments(let page): try page.reportFacts()
    case .messageList(let page): page.reportFacts()
    case .message(let page): try page.reportFacts()
    case .form(let page): page.reportFacts()
    case .searchForm(let page): page.reportFacts()
    case .searchResults(let page): try page.reportFacts()
    }
  }

  /// Returns the text of stored markup.
  static func text(of markup: String) throws -> String {
    try HTMLParser.parse("<!DOCTYPE html><body>" + markup).body.readableText
  }

  /// Returns the image names in stored markup.
  static func imageNames(in markup: String) throws -> [String] {
    guard markup.contains("<img") else { return [] }
    return try HTMLParser.parse("<!DOCTYPE html><body>" + markup).select("img").compactMap {
      Link.imageName(of: $0["src"])
    }
  }

  /// Returns a printed date under its two names.
  static func date(_ date: PrintedDate?, _ name: String) -> [String: ReportValue] {
    [name: .instant(date?.date), name + "Printed": .text(date?.printed)]
  }
}

extension Dictionary where Key == String, Value == ReportValue {
  /// Returns the facts merged with other facts, which take precedence.
  func adding(_ others: [String: ReportValue]) -> [String: ReportValue] {
    merging(others) { $1 }
  }
}
