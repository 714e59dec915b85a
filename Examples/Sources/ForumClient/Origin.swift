import Foundation

/// The scheme, host and port that set cookies and receive requests.
struct Origin: Codable, Sendable, Equatable {
  let scheme: String
  let host: String
  /// The port; nil for the default port of the scheme.
  let port: Int?

  /// Creates the origin of an address; nil if the address has no host or a scheme other than HTTP and HTTPS.
  init?(_ address: URL) {
    guard let scheme = address.scheme?.lowercased(), let host = address.host?.lowercased(),
      scheme == "http" || scheme == "https", !host.isEmpty
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = address.port == (scheme == "http" ? 80 : 443) ? nil : address.port
  }

  /// Returns whether an address belongs to this site; an HTTPS site includes only HTTPS addresses.
  func includes(_ address: URL) -> Bool {
    guard let other = Origin(address) else { return false }
    return isHost(of: other) && (scheme == "http" || other.scheme == "https")
  }

  /// Returns whether both origins have the same host, and the same port or the default ports of their schemes.
  func isHost(of other: Origin) -> Bool {
    host == other.host && port == other.port
  }

  /// Returns whether the site may set cookies for a domain: its own host or a parent domain.
  func isWithin(domain: String) -> Bool {
    let domain = domain.lowercased().drop { $0 == "." }
    return host == domain || host.hasSuffix(".\(domain)") && domain.contains(".")
  }
}
