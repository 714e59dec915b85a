public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The cookies of one profile, stored in a file that only its owner can read.
///
/// A cookie is sent only to the host and port that set it, and a cookie received over HTTPS is never sent over HTTP.
/// The file can hold cookies of several sites, and several programs can use it at the same time: each change applies to the
/// file's current contents, and logging out in one program logs out all of them.
///
/// Shared: the client's requests read and write it from any thread. Its cookies are never mixed with the system's cookies.
public final class CookieFile: Sendable {
  /// One cookie as stored.
  struct Cookie: Codable, Sendable, Equatable {
    let name: String
    let value: String
    let path: String
    let expires: Date?
    let isSecure: Bool
    /// The site that set the cookie; nil in files written before cookies recorded their site. A cookie without a site is never sent.
    let site: Origin?
  }

  /// The cookies, and the version of the file that they were read from.
  private struct Content {
    var cookies: [Cookie] = []
    var version: OwnedFile.Version?
  }

  /// The file that stores the cookies; nil to keep them in memory only.
  private let file: OwnedFile?
  private let content: Mutex<Content>
  private let now: @Sendable () -> Date

  /// Opens the cookies of a profile.
  ///
  /// - Parameters:
  ///   - file: The file, which may not exist yet; nil to keep the cookies in memory only.
  ///   - now: Returns the current date, which determines the cookies that have expired.
  /// - Throws: `ClientError` with code `.cookieFile` if the file exists and cannot be read.
  public init(_ file: URL?, now: @escaping @Sendable () -> Date = { Date() }) throws {
    self.file = file.map { OwnedFile(path: $0.path) }
    self.now = now
    content = Mutex(Content())
    try content.withLock { try refresh(&$0) }
  }

  // MARK: Requests

  /// Returns the value of the `Cookie` header for an address.
  ///
  /// - Parameter address: The requested address.
  /// - Returns: The header; nil if no cookie matches.
  /// - Throws: `ClientError` with code `.cookieFile` if another program changed the file and it cannot be read.
  package func header(for address: URL) throws -> String? {
    let path = address.path.isEmpty ? "/" : address.path
    let fitting = try present().filter { cookie in
      cookie.site?.includes(address) == true && Self.isPath(path, within: cookie.path)
        && (!cookie.isSecure || address.scheme == "https")
    }
    guard !fitting.isEmpty else { return nil }
    return fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Stores and removes cookies as a response specifies, and writes the file if a cookie changed.
  ///
  /// A response over HTTP, which can be forged on the network, does not change cookies received over HTTPS.
  ///
  /// - Parameters:
  ///   - headers: The response's headers.
  ///   - address: The address that responded.
  /// - Throws: `ClientError` with code `.cookieFile` if the file cannot be read or written.
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

  /// Returns whether a path equals a folder or lies below it, comparing whole path components.
  private static func isPath(_ path: String, within folder: String) -> Bool {
    guard path.hasPrefix(folder) else { return false }
    return path == folder || folder.hasSuffix("/") || path.dropFirst(folder.count).first == "/"
  }

  // MARK: Looking

  /// Returns the unexpired cookie with a name that is sent to an address; nil if there is none.
  func cookie(_ name: String, for address: URL) -> Cookie? {
    // An unreadable file counts as no login; the next request throws the error.
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

  /// Removes all cookies that are sent to an address.
  ///
  /// - Parameter address: The site's address.
  /// - Throws: `ClientError` with code `.cookieFile` if the file cannot be read or written.
  public func removeAll(of address: URL) throws {
    try change { $0.removeAll { $0.site?.includes(address) == true } }
  }

  /// Replaces all cookies for a site with those of another file.
  ///
  /// - Parameters:
  ///   - other: The file with the new cookies.
  ///   - address: The site's address.
  /// - Throws: `ClientError` with code `.cookieFile` if a file cannot be read or written.
  func replaceAll(of address: URL, with other: CookieFile) throws {
    let taken = try other.present().filter { $0.site?.includes(address) == true }
    try change { cookies in
      cookies.removeAll { $0.site?.includes(address) == true }
      cookies += taken
    }
  }

  /// Changes the file's current contents and the cookies in memory.
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

  /// Reads the file again if its version has changed.
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
