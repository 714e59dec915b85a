import ForumClient
import ForumScraping
import ForumSimulator
import Foundation
import Testing

/// A person at a site: logged in, reading pages with the scrapers and sending forms back.
struct Visitor {
  let site: ForumSite
  let markup: Markup
  private let cookies: [String: String]

  /// Logs in; the name `nil` creates a guest.
  init(
    _ site: ForumSite, name: String? = ForumSite.defaultUserName,
    markup: Markup = .revision2025
  ) {
    self.site = site
    self.markup = markup
    cookies = name.map { Self.logIn($0, at: site) } ?? [:]
  }

  private static func logIn(_ name: String, at site: ForumSite) -> [String: String] {
    let form = ["action": "login", "username": name, "password": ForumSite.password]
    let answer = site.respond(to: SiteRequest(method: "POST", path: "account.php", form: form))
    var cookies: [String: String] = [:]
    for header in answer.headers where header.name == "Set-Cookie" {
      let pair = header.value.prefix { $0 != ";" }.split(separator: "=")
      if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
    }
    return cookies
  }

  /// The cookies as a header.
  var cookieHeader: String {
    cookies.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: "; ")
  }

  func get(_ path: String, _ query: [String: String] = [:]) -> SiteResponse {
    site.respond(to: SiteRequest(path: path, query: query, cookies: cookies), markup: markup)
  }

  func post(_ path: String, _ form: [String: String]) -> SiteResponse {
    site.respond(
      to: SiteRequest(method: "POST", path: path, form: form, cookies: cookies), markup: markup)
  }

  func post(_ path: String, contentType: String?, body: [UInt8]) -> SiteResponse {
    return site.respond(
      to: SiteRequest(
        method: "POST", path: "/\(path)", query: "", contentType: contentType, cookie: cookieHeader,
        body: Data(body)), markup: markup)
  }

  func read(_ path: String, _ query: [String: String] = [:]) throws -> ScrapedPage {
    try Self.read(get(path, query))
  }

  static func read(_ answer: SiteResponse) throws -> ScrapedPage {
    try PageScraper.scrape([UInt8](answer.body), contentType: answer.header("content-type"))
  }

  func form(_ kind: PageKind, _ path: String, _ query: [String: String]) throws -> FormPage {
    try read(path, query).expectForm(kind)
  }

  /// Submits a page's form, with some of its fields replaced.
  func send(
    _ form: ScrapedForm, pressing button: String = "submit", _ entered: [String: String] = [:]
  ) throws -> ScrapedPage {
    var fields = form.submission(pressing: button).filter { entered[$0.name] == nil }.map {
      ($0.name, $0.value)
    }
    fields += entered.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let body =
      form.encodingType == "multipart/form-data"
      ? FormBody(multipart: fields) : FormBody(urlEncoding: fields)
    let path = form.action.drop { $0 == "/" }
    return try Self.read(post(String(path), contentType: body.contentType, body: body.bytes))
  }
}

extension ScrapedPage {
  /// The redirect page; anything else is a failure.
  var redirect: RedirectPage {
    get throws {
      guard case .redirect(let page) = self else { throw refusal(of: "a redirect page") }
      return page
    }
  }

  /// The site's error; anything else is a failure.
  var error: ForumErrorPage {
    get throws {
      guard case .error(let page) = self else { throw refusal(of: "an error page") }
      return page
    }
  }
}
