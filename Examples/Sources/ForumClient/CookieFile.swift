public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The cookies of one profile, kept in a file that only its owner may read.
///
/// A cookie goes back only to the host and port that set it, and never in the clear when it came over HTTPS.
/// The file may hold cookies of several sites, and several programs may use it at once: each change is made to what the
/// file holds then, and a log-out of one program is one of all.
///
/// Shared: the client's requests read and write it from any thread. Never mixed with the system's cookies.
public final class CookieFile: Sendable {
  /// One cookie as stored.
  struct Cookie: Codable, Sendable, Equatable {
    let name: String
    let value: String
    let path: String
    let expires: Date?
    let isSecure: Bool
    /// The site that set it; nil in files that were written before cookies had one, and then it goes nowhere.
    let site: Origin?
  }

  /// Cookies, and the state of the file that they were read from.
  private struct Content {
    var cookies: [Cookie] = []
    var version: OwnedFile.Version?
  }

  /// Where the cookies are kept; nil keeps them in memory only.
  private let file: OwnedFile?
  private let content: Mutex<Content>
  private let now: @Sendable () -> Date

  /// Opens the cookies of a profile.
  ///
  /// - Parameters:
  ///   - file: The file, which need not exist; nil keeps the cookies in memory only.
  ///   - now: The present, to tell which cookies have expired.
  /// - Throws: `ClientError` with code `.cookieFile` when the file exists and cannot be read.
  public init(_ file: URL?, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.file = file.map { OwnedFile(path: $0.path) }
    self.now = now
    content = Mutex(Content())
    try content.withLock { try refresh(&$0) }
  }

  // MARK: Requests

  /// The value of the `Cookie` header for an address.
  ///
  /// - Parameter address: The address asked for.
  /// - Returns: The header, or nil when no cookie fits.
  /// - Throws: `ClientError` with code `.cookieFile` when another program changed the file and it cannot be read.
  package func header(for address: URL) throws -> String? {
    let path = address.path.isEmpty ? "/" : address.path
    let fitting = try present().filter { cookie in
      cookie.site?.includes(address) == true && Self.isPath(path, within: cookie.path)
        && (!cookie.isSecure || address.scheme == "https")
    }
    guard !fitting.isEmpty else { return nil }
    return fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Takes the cookies an answer sets or ends, and writes the file when something changed.
  ///
  /// An answer in the clear, which anyone on the way can write, changes no cookie that came over HTTPS.
  ///
  /// - Parameters:
  ///   - headers: The answer's headers.
  ///   - address: The address that answered.
  /// - Throws: `ClientError` with code `.cookieFile` when the file cannot be read or written.
  package func take(_ headers: [String: String], from address: URL) throws {
    let received = HTTPCookie.cookies(withResponseHeaderFields: headers, for: address)
    guard !received.isEmpty, let site = Origin(address) else { return }
    try change { cookies in
      for cookie in received where site.isWithin(domain: cookie.domain) {
        let isKept = cookies.contains {
          $0.name == cookie.name && site.scheme == "http" && $0.site?.scheme == "https"
            && $0.site?.isHost(of: site) == true
        }
        if isKept { continue }
        cookies.removeAll {
          $0.name == cookie.name && $0.path == cookie.path && $0.site?.isHost(of: site) == true
        }
        let stored = Cookie(
          name: cookie.name, value: cookie.value, path: cookie.path, expires: cookie.expiresDate,
          isSecure: cookie.isSecure, site: site)
        if !isExpired(stored) { cookies.append(stored) }
      }
    }
  }

  /// A path is within another one that it equals, or that ends where one of its parts does.
  private static func isPath(_ path: String, within folder: String) -> Bool {
    guard path.hasPrefix(folder) else { return false }
    return path == folder || folder.hasSuffix("/") || path.dropFirst(folder.count).first == "/"
  }

  // MARK: Looking

  /// The cookie of a name that goes to an address; nil when there is none that has not expired.
  func cookie(_ name: String, for address: URL) -> Cookie? {
    // A file that cannot be read has no log-in; the next request says why.
    (try? present())?.first { $0.name == name && $0.site?.includes(address) == true }
  }

  private func present() throws -> [Cookie] {
    try content.withLock { content in
      try refresh(&content)
      return content.cookies.filter { !isExpired($0) }
    }
  }

  private func isExpired(_ cookie: Cookie) -> Bool {
    cookie.expires.map { $0 <= now() } ?? false
  }

  // MARK: Changing

  /// Forgets all cookies that go to an address.
  ///
  /// - Parameter address: The site's address.
  /// - Throws: `ClientError` with code `.cookieFile` when the file cannot be written.
  public func removeAll(of address: URL) throws {
    try change { $0.removeAll { $0.site?.includes(address) == true } }
  }

  /// Takes the cookies of another file for a site, in the place of all that were here for it.
  ///
  /// - Parameters:
  ///   - other: The cookies to take.
  ///   - address: The site's address.
  /// - Throws: `ClientError` with code `.cookieFile` when the file cannot be written.
  func replaceAll(of address: URL, with other: CookieFile) throws {
    let taken = try other.present().filter { $0.site?.includes(address) == true }
    try change { cookies in
      cookies.removeAll { $0.site?.includes(address) == true }
      cookies += taken
    }
  }

  /// Changes what the file holds now, and what this object holds after it.
  private func change(_ body: (inout [Cookie]) -> Void) throws {
    try content.withLock { content in
      guard let file else { return body(&content.cookies) }
      try reporting("changed") {
        try file.withLock {
          try refresh(&content)
          var cookies = content.cookies
          body(&cookies)
          guard cookies != content.cookies else { return }
          content.version = try file.replace(with: JSONEncoder().encode(cookies))
          content.cookies = cookies
        }
      }
    }
  }

  /// Reads the file again if it is another one than that which was read.
  private func refresh(_ content: inout Content) throws {
    guard let file else { return }
    try reporting("read") {
      let version = try file.version()
      guard version != content.version else { return }
      let data = version == nil ? nil : try file.read()
      content = Content(
        cookies: try data.map { try JSONDecoder().decode([Cookie].self, from: $0) } ?? [],
        version: version)
    }
  }

  private func reporting<Result>(_ verb: String, _ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as ClientError {
      throw error
    } catch {
      throw ClientError(
        .cookieFile, "The cookie file \(file?.name ?? "") cannot be \(verb).", underlying: error)
    }
  }
}
