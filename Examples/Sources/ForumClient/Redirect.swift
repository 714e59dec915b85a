import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where a redirect leads and how it is followed.
enum Redirect {
  /// The request that follows a redirect.
  ///
  /// The fragment is kept, a form becomes a plain request, and the page size the site drops is
  /// added again.
  ///
  /// - Parameters:
  ///   - request: The request that was answered.
  ///   - status: The status of the answer.
  ///   - location: The `Location` header.
  ///   - query: The names and values first asked with.
  ///   - path: The path first asked for.
  /// - Returns: The next request.
  /// - Throws: `ClientError` when the address is malformed or on another host.
  static func next(
    after request: URLRequest, status: Int, location: String, query: [(String, String)],
    path: String
  ) throws -> URLRequest {
    guard let current = request.url,
      let target = URL(string: location, relativeTo: current)?.absoluteURL,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
    else { throw ClientError(.malformedAddress, "The site leads nowhere.", path: path) }
    guard isSameSite(current, target) else {
      throw ClientError(.foreignRedirect, "The site leads to another host.", path: path)
    }
    if parts.fragment == nil { parts.fragment = current.fragment }
    addPageSize(from: query, to: &parts)
    guard let address = parts.url else {
      throw ClientError(.malformedAddress, "The site leads nowhere.", path: path)
    }
    var next = URLRequest(url: address)
    if status == 307 || status == 308 {
      next.httpMethod = request.httpMethod
      next.httpBody = request.httpBody
      next.setValue(
        request.value(forHTTPHeaderField: "Content-Type"), forHTTPHeaderField: "Content-Type")
    }
    return next
  }

  private static func addPageSize(from query: [(String, String)], to parts: inout URLComponents) {
    guard let size = query.first(where: { $0.0 == "perpage" })?.1, parts.path.hasSuffix(".php")
    else { return }
    let present = parts.percentEncodedQuery ?? ""
    guard !present.split(separator: "&").contains(where: { $0.hasPrefix("perpage=") }) else {
      return
    }
    let added = FormBody.query([("perpage", size)])
    parts.percentEncodedQuery = present.isEmpty ? added : "\(present)&\(added)"
  }

  /// The same host, on the same port or on the usual one of a scheme.
  private static func isSameSite(_ left: URL, _ right: URL) -> Bool {
    guard let scheme = right.scheme, scheme == "http" || scheme == "https",
      left.host?.lowercased() == right.host?.lowercased()
    else { return false }
    // A step from a secure to an open connection would show the cookies.
    if left.scheme == "https" && scheme == "http" { return false }
    return left.port == right.port || (isUsualPort(left) && isUsualPort(right))
  }

  private static func isUsualPort(_ address: URL) -> Bool {
    switch (address.scheme, address.port) {
    case (_, nil), ("http", 80), ("https", 443): true
    default: false
    }
  }
}
