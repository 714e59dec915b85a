import ForumHTML
public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests pages from the forum, with its own cookies and redirects and with limits on time and size.
///
/// Shared: one per profile, used from any task. The client never decodes, parses or stores a page, and never repeats a request
/// by itself.
public final class ForumClient: Sendable {
  /// The name of the cookie that marks a logged-in reader.
  public static let logInCookieName = "bbuserid"
  private static let redirectLimit = 5

  /// The address that all paths are relative to; requests and their cookies stay on its host.
  public let base: URL
  /// The cookies of the profile.
  public let cookies: CookieFile
  private let imageOrigins: [Origin]
  private let userAgent: String
  private let idleSeconds: Double
  private let totalSeconds: Double
  private let imageSeconds: Double

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - base: The site's address; its path is a folder, with or without a trailing slash.
  ///   - cookies: The cookies of the profile.
  ///   - imageHosts: The addresses of the other hosts from which images may be requested.
  ///   - userAgent: The value of the `User-Agent` header.
  ///   - idleTimeout: The longest time without a received byte.
  ///   - totalTimeout: The longest time for one response.
  ///   - imageTimeout: The longest time for one image.
  public init(
    base: URL, cookies: CookieFile, imageHosts: [URL] = [],
    userAgent: String = "awful/1.0 (Linux)",
    idleTimeout: Duration = .seconds(30), totalTimeout: Duration = .seconds(120),
    imageTimeout: Duration = .seconds(10)
  ) {
    self.base = Self.folder(base)
    self.cookies = cookies
    imageOrigins = imageHosts.compactMap { Origin($0) }
    self.userAgent = userAgent
    idleSeconds = idleTimeout / .seconds(1)
    totalSeconds = totalTimeout / .seconds(1)
    imageSeconds = imageTimeout / .seconds(1)
  }

  /// Whether the profile is logged in.
  public var isLoggedIn: Bool { logInCookie != nil }

  /// The id of the logged-in reader, from the site's cookie.
  public var userID: String? { logInCookie?.value }

  /// The expiry date of the login.
  public var logInExpiry: Date? { logInCookie?.expires }

  private var logInCookie: CookieFile.Cookie? { cookies.cookie(Self.logInCookieName, for: base) }

  /// Attempts a login with new cookies, and replaces the site's cookies with them if the login succeeds.
  ///
  /// - Parameter work: Logs in with a client that has no cookies yet.
  /// - Throws: Any error of `work`, which leaves the cookies unchanged; `ClientError` if the cookies cannot be stored.
  public func loggingIn(_ work: (ForumClient) async throws -> Void) async throws {
    let attempt = ForumClient(
      base: base, cookies: try CookieFile(nil), userAgent: userAgent,
      idleTimeout: .seconds(idleSeconds), totalTimeout: .seconds(totalSeconds))
    try await work(attempt)
    try cookies.replaceAll(of: base, with: attempt.cookies)
  }

  /// Returns the absolute path on the site for a path relative to the base, as the site's forms require it.
  public func path(of relative: String) -> String {
    let folder = base.path
    return folder.hasSuffix("/") ? folder + relative : "\(folder)/\(relative)"
  }

  private static func folder(_ address: URL) -> URL {
    guard var parts = URLComponents(url: address, resolvingAgainstBaseURL: true),
      !parts.path.hasSuffix("/")
    else { return address }
    parts.path += "/"
    return parts.url ?? address
  }

  /// Requests a page.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the base.
  ///   - query: The names and values, in order.
  /// - Returns: The page after all redirects.
  /// - Throws: `ClientError`.
  public func page(_ path: String, query: [(String, String)] = []) async throws -> FetchedPage {
    let page = try await send(try request(path, query), path: path, query: query)
    guard Self.isReadable(page.contentType) else {
      throw ClientError(
        .notAForumPage,
        "The response is not a page. Its content type is \(page.contentType ?? "unknown").",
        path: path,
        status: page.status)
    }
    return page
  }

  /// Sends a form.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the base.
  ///   - query: The names and values in the address.
  ///   - body: The form.
  /// - Returns: The page after all redirects.
  /// - Throws: `ClientError`; if the path is an address on another host, nothing is sent.
  public func send(
    _ path: String, query: [(String, String)] = [], body: FormBody
  ) async throws -> FetchedPage {
    var request = try request(path, query)
    request.httpMethod = "POST"
    request.httpBody = Data(body.bytes)
    request.setValue(body.contentType, forHTTPHeaderField: "Content-Type")
    return try await send(request, path: path, query: query)
  }

  /// Returns the address to which a page redirects, without loading that address.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the base.
  ///   - query: The names and values, in order.
  /// - Returns: The target address, fragment included; nil if the site does not redirect.
  /// - Throws: `ClientError`.
  public func redirectTarget(_ path: String, query: [(String, String)] = []) async throws -> URL? {
    let request = try request(path, query)
    let answer = try await answer(to: request, path: path)
    guard Self.isRedirect(answer), let location = answer.header("Location") else { return nil }
    return URL(string: location, relativeTo: request.url)?.absoluteURL
  }

  // MARK: Images

  /// Returns the absolute address of an image that the client may request.
  ///
  /// - Parameter address: The address, which can be relative to the base.
  /// - Returns: The address; nil if it is not an address on the base's host or on one of the image hosts.
  public func imageAddress(_ address: String) -> URL? {
    guard let url = URL(string: address, relativeTo: base)?.absoluteURL else { return nil }
    let isAllowed =
      Origin(base)?.includes(url) == true || imageOrigins.contains { $0.includes(url) }
    return isAllowed ? url : nil
  }

  /// Requests an image, without cookies.
  ///
  /// - Parameter address: The address, which can be relative to the base.
  /// - Returns: The image's bytes, which can have any format.
  /// - Throws: `ClientError`; if the address is on a host that `imageAddress(_:)` does not allow, nothing is sent.
  public func image(_ address: String) async throws -> [UInt8] {
    guard let url = imageAddress(address) else {
      throw ClientError(.foreignAddress, "The image is on another host.", path: address)
    }
    let last = try await follow(URLRequest(url: url), path: address, query: []) { next, _ in
      var request = next
      request.timeoutInterval = min(idleSeconds, imageSeconds)
      request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
      do {
        return try await TransferSession.shared.answer(to: request, within: imageSeconds)
      } catch {
        throw ErrorMapping.clientError(for: error, path: address)
      }
    }
    guard last.answer.status == 200 else {
      throw ClientError(
        .httpStatus, "The site responded with status \(last.answer.status).", path: address,
        status: last.answer.status)
    }
    return last.answer.body
  }

  private func request(_ path: String, _ query: [(String, String)]) throws -> URLRequest {
    let text =
      query.isEmpty ? path : "\(path)\(path.contains("?") ? "&" : "?")\(FormBody.query(query))"
    guard let address = URL(string: text, relativeTo: base)?.absoluteURL else {
      throw ClientError(.malformedAddress, "The address is invalid.", path: path)
    }
    guard Origin(base)?.includes(address) == true else {
      throw ClientError(.foreignAddress, "The address is on another host.", path: path)
    }
    return URLRequest(url: address)
  }

  /// Sends a request with the site's cookies and follows the site's redirects.
  private func send(
    _ first: URLRequest, path: String, query: [(String, String)]
  ) async throws -> FetchedPage {
    let wasLoggedIn = isLoggedIn
    let last = try await follow(first, path: path, query: query) { request, isRedirected in
      try await answer(to: request, path: path, isRedirected: isRedirected)
    }
    let page = FetchedPage(
      bytes: last.answer.body, contentType: last.answer.header("Content-Type"),
      address: last.request.url ?? base, status: last.answer.status,
      wasLoggedOut: wasLoggedIn && !isLoggedIn)
    if last.answer.status >= 400 {
      let error = statusError(last.answer, page, path)
      throw last.isRedirected ? error.behindRedirect : error
    }
    return page
  }

  /// Sends a request and follows the site's redirects.
  ///
  /// - Parameter perform: A closure that sends a request, and receives whether the site redirected to it.
  /// - Returns: The answer that is not a redirect, with its request.
  private func follow(
    _ first: URLRequest, path: String, query: [(String, String)],
    _ perform: (_ request: URLRequest, _ isRedirected: Bool) async throws -> Answer
  ) async throws -> (answer: Answer, request: URLRequest, isRedirected: Bool) {
    var request = first
    for step in 0...Self.redirectLimit {
      let answer = try await perform(request, step > 0)
      guard Self.isRedirect(answer), let location = answer.header("Location") else {
        return (answer, request, step > 0)
      }
      request = try Redirect.next(
        after: request, status: answer.status, location: location, query: query, path: path)
    }
    throw ClientError(
      .tooManyRedirects, "The site redirected more than \(Self.redirectLimit) times.", path: path)
  }

  private func answer(
    to request: URLRequest, path: String, isRedirected: Bool = false
  ) async throws -> Answer {
    var request = request
    guard let address = request.url else {
      throw ClientError(.malformedAddress, "The address is invalid.", path: path)
    }
    request.timeoutInterval = idleSeconds
    request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
    do {
      if let header = try cookies.header(for: address) {
        request.setValue(header, forHTTPHeaderField: "Cookie")
      }
      let answer = try await TransferSession.shared.answer(to: request, within: totalSeconds)
      try cookies.take(answer.headers, from: address)
      return answer
    } catch {
      let error = ErrorMapping.clientError(for: error, path: path)
      throw isRedirected ? error.behindRedirect : error
    }
  }

  private func statusError(_ answer: Answer, _ page: FetchedPage, _ path: String) -> ClientError {
    ClientError(
      .httpStatus, "The site responded with status \(answer.status).", path: path,
      status: answer.status,
      retryAfterInSeconds: RetryAfter.seconds(
        answer.header("Retry-After"), answeredAt: answer.header("Date")), page: page)
  }

  private static func isRedirect(_ answer: Answer) -> Bool {
    [301, 302, 303, 307, 308].contains(answer.status)
  }

  /// Returns whether the client accepts a content type: markup, JSON, text, JavaScript, or no type at all.
  private static func isReadable(_ contentType: String?) -> Bool {
    guard let type = contentType?.split(separator: ";").first?.lowercased() else { return true }
    return type.contains("html") || type.contains("json") || type.hasPrefix("text/")
      || type.contains("javascript")
  }
}
