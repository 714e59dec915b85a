public import Foundation

/// A decoded request to the site, without percent encoding or form encoding.
public struct SiteRequest: Sendable, Hashable {
  /// The request method, in uppercase.
  public var method: String
  /// The path without a leading slash, such as `showthread.php`.
  public var path: String
  /// The decoded query; the last of several values with the same name counts.
  public var query: [String: String]
  /// The decoded form of a POST request.
  public var form: [String: String]
  /// All values of the form's names that end in `[]`, in the order sent, by name without the brackets.
  public var lists: [String: [String]]
  /// The cookies by name.
  public var cookies: [String: String]

  /// Creates a request from decoded parts.
  public init(
    method: String = "GET", path: String, query: [String: String] = [:],
    form: [String: String] = [:], lists: [String: [String]] = [:], cookies: [String: String] = [:]
  ) {
    self.method = method
    self.path = String(path.drop { $0 == "/" })
    self.query = query
    self.form = form
    self.lists = lists
    self.cookies = cookies
  }

  /// Creates a request from the parts that a client sent.
  ///
  /// - Parameters:
  ///   - method: The request method.
  ///   - path: The path as sent.
  ///   - query: The query as sent, without the question mark.
  ///   - contentType: The content type of the body; `nil` if there is none.
  ///   - cookie: The cookie header; `nil` if there is none.
  ///   - body: The body; multipart and URL-encoded forms are decoded from windows-1252.
  public init(
    method: String, path: String, query: String, contentType: String?, cookie: String?,
    body: Data
  ) {
    let charset: FormDecoder.Charset = path.hasSuffix("query.php") ? .utf8 : .windows1252
    let fields = FormDecoder.fields(body: body, contentType: contentType, charset: charset)
    let lists = fields.filter { $0.name.hasSuffix("[]") }
    self.init(
      method: method, path: path,
      query: FormDecoder.byName(FormDecoder.fields(urlEncoded: query, charset: charset)),
      form: FormDecoder.byName(fields),
      lists: Dictionary(grouping: lists) { String($0.name.dropLast(2)) }.mapValues {
        $0.map(\.value)
      },
      cookies: Self.cookies(cookie ?? ""))
  }

  /// Returns a parameter of the form or, if the form lacks it, of the query.
  func parameter(_ name: String) -> String? {
    form[name] ?? query[name]
  }

  /// Returns a numeric parameter.
  func number(_ name: String) -> Int? {
    parameter(name).flatMap { Int($0) }
  }

  private static func cookies(_ header: String) -> [String: String] {
    var cookies: [String: String] = [:]
    for pair in header.split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      cookies[parts[0].trimmingCharacters(in: .whitespaces)] =
        parts[1].trimmingCharacters(in: .whitespaces)
    }
    return cookies
  }
}
