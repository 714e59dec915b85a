public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Glibc)
  import Glibc
#endif

/// The cookies of one profile and one host, kept in a file that only its owner may read.
///
/// Shared: the client's requests read and write it from any thread. Never mixed with the system's
/// cookies.
public final class CookieFile: Sendable {
  /// One cookie as stored.
  struct Cookie: Codable, Sendable, Equatable {
    let name: String
    let value: String
    let path: String
    let expires: Date?
    let isSecure: Bool
  }

  /// Where the cookies are kept; nil keeps them in memory only.
  private let file: URL?
  private let cookies: Mutex<[Cookie]>

  /// Opens the cookies of a profile.
  ///
  /// - Parameter file: The file, which need not exist; nil keeps the cookies in memory only.
  /// - Throws: `ClientError` with code `.cookieFile` when the file exists and cannot be read.
  public init(_ file: URL?) throws {
    self.file = file
    guard let file, FileManager.default.fileExists(atPath: file.path) else {
      cookies = Mutex([])
      return
    }
    do {
      cookies = Mutex(try JSONDecoder().decode([Cookie].self, from: Data(contentsOf: file)))
    } catch {
      throw ClientError(
        .cookieFile, "The cookie file \(file.lastPathComponent) cannot be read.", underlying: error)
    }
  }

  /// The value of the `Cookie` header for an address.
  ///
  /// - Parameter address: The address asked for.
  /// - Returns: The header, or nil when no cookie fits.
  func header(for address: URL) -> String? {
    let path = address.path.isEmpty ? "/" : address.path
    let fitting = cookies.withLock { $0 }.filter { cookie in
      !isExpired(cookie) && path.hasPrefix(cookie.path)
        && (!cookie.isSecure || address.scheme == "https")
    }
    guard !fitting.isEmpty else { return nil }
    return fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }

  /// Takes the cookies an answer sets or ends, and writes the file when something changed.
  ///
  /// - Parameters:
  ///   - headers: The answer's headers.
  ///   - address: The address that answered.
  /// - Throws: `ClientError` with code `.cookieFile` when the file cannot be written.
  func take(_ headers: [String: String], from address: URL) throws {
    let received = HTTPCookie.cookies(withResponseHeaderFields: headers, for: address)
    guard !received.isEmpty else { return }
    try change { cookies in
      for cookie in received {
        cookies.removeAll { $0.name == cookie.name && $0.path == cookie.path }
        let stored = Cookie(
          name: cookie.name, value: cookie.value, path: cookie.path, expires: cookie.expiresDate,
          isSecure: cookie.isSecure)
        if !isExpired(stored) { cookies.append(stored) }
      }
    }
  }

  /// Whether a cookie of this name is held.
  ///
  /// - Parameter name: The cookie's name.
  /// - Returns: Whether there is one that has not expired.
  public func contains(_ name: String) -> Bool {
    cookies.withLock { $0 }.contains { $0.name == name && !isExpired($0) }
  }

  /// When a cookie expires.
  ///
  /// - Parameter name: The cookie's name.
  /// - Returns: The instant; nil when there is no such cookie or it lasts for the session.
  public func expiry(of name: String) -> Date? {
    cookies.withLock { $0 }.first { $0.name == name }?.expires
  }

  /// Forgets all cookies.
  ///
  /// - Throws: `ClientError` with code `.cookieFile` when the file cannot be written.
  public func removeAll() throws {
    try change { $0.removeAll() }
  }

  private func isExpired(_ cookie: Cookie) -> Bool {
    cookie.expires.map { $0 <= Date() } ?? false
  }

  /// The file is written under the lock, so that the last state always wins.
  private func change(_ body: (inout [Cookie]) -> Void) throws {
    try cookies.withLock { cookies in
      let before = cookies
      body(&cookies)
      if let file, cookies != before { try write(cookies, to: file) }
    }
  }

  /// Written beside the old file with mode 0600 and then put in its place.
  private func write(_ cookies: [Cookie], to file: URL) throws {
    let temporary = file.path + ".new"
    do {
      let data = try JSONEncoder().encode(cookies)
      let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      fchmod(descriptor, 0o600)
      try handle.write(contentsOf: data)
      try handle.close()
      guard rename(temporary, file.path) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch {
      throw ClientError(
        .cookieFile, "The cookie file \(file.lastPathComponent) cannot be written.",
        underlying: error)
    }
  }
}
