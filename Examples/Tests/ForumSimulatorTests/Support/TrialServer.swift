import ForumSimulator
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs a body against a started server, with its address, and stops the server.
func withServer(
  _ options: ForumServerOptions = ForumServerOptions(isControlEnabled: true),
  _ body: (ForumServer, URL) async throws -> Void
) async throws {
  let server = ForumServer(site: ForumSite(seed: 7), options: options)
  try await server.start()
  let address = try #require(await server.baseURL)
  do {
    try await body(server, address)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// Never released: Foundation on Linux can end the process when it releases a session that has open connections.
private let session = URLSession(configuration: .ephemeral)

/// Sends a request; cookies are those given, none are kept.
func fetch(
  _ address: URL, _ path: String, method: String = "GET", body: Data? = nil,
  cookie: String? = nil, timeout: TimeInterval = 600
) async throws -> (data: Data, response: HTTPURLResponse) {
  let url = try #require(URL(string: path, relativeTo: address))
  var request = URLRequest(url: url)
  // Foundation on Linux ignores the interval of the initializer, and uses the session's.
  request.timeoutInterval = timeout
  request.httpMethod = method
  request.httpBody = body
  request.httpShouldHandleCookies = cookie == nil
  if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
  if body != nil {
    request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
  }
  let (data, response) = try await session.data(for: request)
  return (data, try #require(response as? HTTPURLResponse))
}
