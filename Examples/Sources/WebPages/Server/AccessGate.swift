import Foundation

/// The access control of a site on the loopback address: only browsers with its token may use the site.
///
/// A browser sends the token once in the address, and then in a cookie. The gate refuses requests with another host name, so that no web
/// page can reach the site under another name. It accepts forms only from the site's own pages.
package struct AccessGate: Sendable {
  /// The decision about a request.
  package enum Decision: Equatable {
    case allowed
    /// The address contains the token, which moves to a cookie.
    case admitted
    case refused(status: Int, reason: String)
  }

  static let parameterName = "token"

  package let token: String

  package init(token: String) { self.token = token }

  /// Returns the name of the cookie, which contains the port because browsers share cookies between all ports of a host.
  package static func cookieName(port: UInt16) -> String { "site-token-\(port)" }

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - host: Its `Host` header.
  ///   - origin: Its `Origin` header.
  ///   - fetchSite: Its `Sec-Fetch-Site` header, which only browsers can set. Pages without referrers, such as the pages of these sites,
  ///     have the origin "null".
  ///   - port: The port of the site.
  package func decide(
    _ request: WebRequest, host: String?, origin: String?, fetchSite: String?, port: UInt16
  )
    -> Decision
  {
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host, hosts.contains(host.lowercased()) else {
      return .refused(status: 421, reason: "This site is available only at \(hosts[0]).")
    }
    let isOwn = origin?.lowercased() == "http://\(host.lowercased())"
    if request.method == .post, !isOwn, !(origin == "null" && fetchSite == "same-origin") {
      return .refused(status: 403, reason: "The site accepts forms only from its own pages.")
    }
    if isToken(request.cookies[Self.cookieName(port: port)]) { return .allowed }
    if request.method == .get, isToken(request.query[Self.parameterName]) { return .admitted }
    return .refused(
      status: 403, reason: "Open the address that the program printed, which contains a token.")
  }

  /// Returns whether a text is the token. The method compares every byte, so that its duration does not reveal the number of matching
  /// bytes.
  private func isToken(_ text: String?) -> Bool {
    guard let text, text.utf8.count == token.utf8.count else { return false }
    return zip(text.utf8, token.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns a new token that cannot be guessed.
  package static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let word = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }.joined()
  }
}
