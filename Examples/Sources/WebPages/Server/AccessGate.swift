import Foundation

/// Who may use a site on the loopback address: browsers that were given its token.
///
/// The token comes in the address once, and in a cookie from then on. A request under another host name is refused, so that no
/// page of the web reaches the site by another name; and a form is accepted from the site's own pages only.
package struct AccessGate: Sendable {
  /// What becomes of a request.
  package enum Decision: Equatable {
    case allowed
    /// The token came in the address: it moves into a cookie.
    case admitted
    case refused(status: Int, reason: String)
  }

  static let parameterName = "token"

  package let token: String

  package init(token: String) { self.token = token }

  /// The cookie's name; cookies belong to a host with all its ports.
  package static func cookieName(port: UInt16) -> String { "site-token-\(port)" }

  /// Decides about a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - host: Its `Host` header.
  ///   - origin: Its `Origin` header.
  ///   - fetchSite: Its `Sec-Fetch-Site` header, which only browsers can set. Pages without referrers, as those of a site here, have
  ///     the origin "null".
  ///   - port: The port of the site.
  package func decide(
    _ request: WebRequest, host: String?, origin: String?, fetchSite: String?, port: UInt16
  )
    -> Decision
  {
    let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    guard let host, hosts.contains(host.lowercased()) else {
      return .refused(status: 421, reason: "This site is at \(hosts[0]) only.")
    }
    let isOwn = origin?.lowercased() == "http://\(host.lowercased())"
    if request.method == .post, !isOwn, !(origin == "null" && fetchSite == "same-origin") {
      return .refused(status: 403, reason: "Forms are accepted from the site's own pages only.")
    }
    if isToken(request.cookies[Self.cookieName(port: port)]) { return .allowed }
    if request.method == .get, isToken(request.query[Self.parameterName]) { return .admitted }
    return .refused(
      status: 403, reason: "Open the address with the token that the program has printed.")
  }

  /// Compares every byte, so that the time does not tell how many are right.
  private func isToken(_ text: String?) -> Bool {
    guard let text, text.utf8.count == token.utf8.count else { return false }
    return zip(text.utf8, token.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A token that cannot be guessed.
  package static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let word = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }.joined()
  }
}
