import FlyingFox

/// Refuses the requests that pages of other sites make a browser send.
///
/// A browser on this machine can reach the loopback address, and any page can make it send a request. The gate refuses requests for an
/// unknown host name, because such a name can lead a page of another site to this address. It also refuses changes that a page of another
/// site requests. Programs that are not browsers are not affected.
struct BrowserGate: Sendable {
  /// The names of this machine, which other sites cannot have.
  private static let ownNames: Set = ["127.0.0.1", "localhost", "[::1]"]

  /// The names under which a proxy passes requests on, with or without a port, in lower case.
  private let hosts: Set<String>

  init(hosts: [String]) { self.hosts = Set(hosts.map { $0.lowercased() }) }

  /// Checks a request.
  ///
  /// - Throws: `ServiceError.foreignHost` or `.foreignPage`.
  func check(_ request: HTTPRequest) throws {
    // Browsers always send this header.
    if let host = request.headers[.host], !isKnown(host) { throw ServiceError.foreignHost }
    guard request.method != .GET, request.method != .HEAD,
      let origin = request.headers[HTTPHeader("Origin")]
    else { return }
    // Browsers send the origin "null" for pages without an address, such as sandboxed frames.
    guard let mark = origin.firstRange(of: "://"), isKnown(String(origin[mark.upperBound...]))
    else { throw ServiceError.foreignPage }
  }

  private func isKnown(_ host: String) -> Bool {
    let host = host.lowercased()
    // The part after the last colon is the port, unless the colon belongs to an address in brackets.
    let colon = host.lastIndex(of: ":").flatMap { host[$0...].contains("]") ? nil : $0 }
    let name = colon.map { String(host[..<$0]) } ?? host
    return Self.ownNames.contains(name) || hosts.contains(host) || hosts.contains(name)
  }
}
