public import Foundation

/// A request from a browser.
public struct WebRequest: Sendable {
  /// The method of a request: reading a page or submitting a form.
  public enum Method: Sendable {
    case get, post
  }

  /// The method.
  public let method: Method
  /// The components of the path, without percent-encoding.
  public let path: [String]
  /// The parameters of the address; if several have the same name, the last one.
  public let query: [String: String]
  /// The fields of the form; if several have the same name, the last one.
  public internal(set) var form: [String: String]
  /// The names of the form's fields as the browser sent them, in page order.
  public internal(set) var fieldNames: [String]
  /// The cookies by name.
  public let cookies: [String: String]

  /// Creates a request.
  public init(
    _ method: Method, _ path: [String], query: [String: String] = [:], form: [String: String] = [:],
    fieldNames: [String] = [], cookies: [String: String] = [:]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.form = form
    self.fieldNames = fieldNames
    self.cookies = cookies
  }
}

/// A response to a browser.
public enum WebAnswer: Sendable {
  /// A page.
  case page(Markup, status: Int = 200, showsForeignImages: Bool = false)
  /// A redirect to another page of the site.
  case redirect(String, cookies: [SiteCookie] = [])
  /// The event stream of a page: the keys of its lists, and the revisions that it shows.
  case events([(key: String, revision: Int)])
  /// A file that is part of the pages.
  case file(Data, contentType: String)
  /// A file on this machine, or the part that the browser requests, sent in pieces.
  case stream(URL, contentType: String)
}

/// A cookie that browsers send only to the site itself, and that scripts cannot read.
public struct SiteCookie: Sendable {
  let name: String
  let value: String

  /// Creates a cookie.
  ///
  /// - Parameters:
  ///   - name: A name consisting of letters.
  ///   - value: A value consisting of letters, digits and `-_.`; other characters are removed.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = String(
      String.UnicodeScalarView(
        value.unicodeScalars.filter {
          $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
        }))
  }
}
