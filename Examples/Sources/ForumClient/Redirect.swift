import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// The rules for following redirects.
package enum Redirect {
  /// Returns the request that follows a redirect.
  ///
  /// The request keeps the fragment. A form becomes a plain request, except for status 307 and 308, which repeat it. The page size,
  /// which the site drops, is added again.
  ///
  /// - Parameters:
  ///   - request: The request that the site redirected.
  ///   - status: The status of the response.
  ///   - location: The `Location` header.
  ///   - query: The names and values of the first request.
  ///   - path: The path of the first request.
  /// - Returns: The next request.
  /// - Throws: `ClientError` if the address is malformed or on another host. The site has received the request in either case.
  package static func next(
    after request: URLRequest, status: Int, location: String, query: [(String, String)],
    path: String
  ) throws -> URLRequest {
    guard let current = request.url,
      let target = URL(string: location, relativeTo: current)?.absoluteURL,
      var parts = URLComponents(url: target, resolvingAgainstBaseURL: true)
    else { throw malformedAddress(path) }
    guard Origin(current)?.includes(target) == true else {
      throw ClientError(.foreignRedirect, "The site redirects to another host.", path: path)
    }
    if parts.fragment == nil { parts.fragment = current.fragment }
    addPageSize(from: query, to: &parts)
    guard let address = parts.url else { throw malformedAddress(path) }
    var next = URLRequest(url: address)
    if status == 307 || status == 308 {
      next.httpMethod = request.httpMethod
      next.httpBody = request.httpBody
      next.setValue(
        request.value(forHTTPHeaderField: "Content-Type"), forHTTPHeaderField: "Content-Type")
    }
    return next
  }

  private static func malformedAddress(_ path: String) -> ClientError {
    ClientError(.malformedAddress, "The site redirects to an invalid address.", path: path)
      .behindRedirect
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
}
