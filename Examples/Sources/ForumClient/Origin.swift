import Foundation

/// The host and port that cookies come from and requests go to, and whether the connection is a secure one.
struct Origin: Codable, Sendable, Equatable {
  let scheme: String
  let host: String
  /// The port; nil for the usual one of HTTP or HTTPS.
  let port: Int?

  /// The site of an address; nil for one that has no host, or is of another scheme.
  init?(_ address: URL) {
    guard let scheme = address.scheme?.lowercased(), let host = address.host?.lowercased(),
      scheme == "http" || scheme == "https", !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = address.port == (scheme == "http" ? 80 : 443) ? nil : address.port
  }

  /// Whether an address is of this site: what is of a secure one stays on secure connections.
  func includes(_ address: URL) -> Bool {
    guard let other = Origin(address) else { return false }
    return isHost(of: other) && (scheme == "http" || other.scheme == "https")
  }

  /// Whether both are the same host on the same port, or on the usual ports.
  func isHost(of other: Origin) -> Bool {
    host == other.host && port == other.port
  }

  /// Whether the site may set cookies for a domain: its own host, or one above it.
  func isWithin(domain: String) -> Bool {
    let domain = domain.lowercased().drop { $0 == "." }
    return host == domain || host.hasSuffix(".\(domain)") && domain.contains(".")
  }
}
