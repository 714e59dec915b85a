public import Foundation

/// A response of the site: status, headers in order, and the body's bytes.
public struct SiteResponse: Sendable, Hashable {
  /// One header line.
  public struct Header: Sendable, Hashable {
    public let name: String
    public let value: String

    /// Creates a header line.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The content type of every page.
  public static let pageContentType = "text/html; charset=windows-1252"

  public var status: Int
  public var headers: [Header]
  public var body: Data

  /// Creates a response.
  public init(status: Int = 200, headers: [Header] = [], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns the first header with a name, compared without regard to case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body of a page as text; numeric references remain unchanged.
  public var text: String {
    header("Content-Type") == Self.pageContentType
      ? Windows1252.text(body) : String(decoding: body, as: UTF8.self)
  }

  var setsCookies: Bool { header("Set-Cookie") != nil }

  mutating func add(_ more: [Header]) {
    headers += more
  }

  static func page(_ html: String, status: Int = 200) -> SiteResponse {
    SiteResponse(
      status: status, headers: [Header("Content-Type", pageContentType)],
      body: Windows1252.data(html))
  }

  static func json(_ text: String, status: Int = 200) -> SiteResponse {
    SiteResponse(
      status: status, headers: [Header("Content-Type", "application/json")],
      body: Data(text.utf8))
  }

  static func redirect(to location: String) -> SiteResponse {
    SiteResponse(
      status: 302, headers: [Header("Location", location), Header("Content-Type", pageContentType)])
  }
}
