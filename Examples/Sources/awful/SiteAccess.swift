import ArgumentParser
import AwfulCore
import ForumClient
import Foundation

/// How commands reach the site.
enum SiteAccess {
  /// Refuses an address that is none of a site.
  static func check(_ address: String) throws {
    guard let url = URL(string: address), url.host != nil,
      ["http", "https"].contains(url.scheme)
    else { throw ValidationError("--base-url must be an address such as http://127.0.0.1:8000/.") }
  }

  /// A client of a site, with the cookies of a file; without a file they are forgotten at the end.
  static func client(of address: String, cookies: String?) throws -> ForumClient {
    guard let base = URL(string: address) else { throw ExitCode.failure }
    return ForumClient(base: base, cookies: try CookieFile(cookies.map { URL(filePath: $0) }))
  }

  /// Logs in with the password of the environment, unless that has been done, or no name is given.
  static func logIn(_ user: String?, _ client: ForumClient) async throws {
    guard let user, !client.isLoggedIn else { return }
    let password = ProcessInfo.processInfo.environment["AWFUL_PASSWORD"] ?? ""
    try await ForumLogIn.logIn(user, password: password, client)
  }
}
