public import Foundation

/// A request of a browser.
public struct WebRequest: Sendable {
  /// Whether it asks for a page, or sends a form.
  public enum Method: Sendable {
    case get, post
  }

  /// What it is.
  public let method: Method
  /// The path without its first slash, part by part, percent-encoding removed.
  public let path: [String]
  /// The parameters of the address; of several with one name, the last.
  public let query: [String: String]
  /// The fields of the form; of several with one name, the last.
  public let form: [String: String]
  /// The names of the form's fields as the browser sent them, in the order of the page.
  public let fieldNames: [String]
  /// The cookies by name.
  public let cookies: [String: String]

  /// Makes a request.
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

/// What a browser is answered.
public enum WebAnswer: Sendable {
  /// A page.
  case page(Markup, status: Int = 200, showsForeignImages: Bool = false)
  /// Another page of the site, which is fetched.
  case redirect(String, cookies: [SiteCookie] = [])
  /// A page's event stream: the keys of its lists, and the numbers of the states that it shows.
  case events([(key: String, revision: Int)])
  /// A file that belongs to pages.
  case file(Data, contentType: String)
  /// A file on this machine, or the part of it that the browser asks for, sent in pieces.
  case stream(URL, contentType: String)
}

/// A cookie that only the site itself gets, and no script.
public struct SiteCookie: Sendable {
  let name: String
  let value: String

  /// Makes a cookie.
  ///
  /// - Parameters:
  ///   - name: A name of letters.
  ///   - value: A value of letters, digits and `-_.`; other characters are left out.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = String(
      String.UnicodeScalarView(
        value.unicodeScalars.filter {
          $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
        }))
  }
}
