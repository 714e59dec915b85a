import ArgumentParser
import AwfulCore
import ForumClient
import Foundation

/// Connects commands to the site.
enum SiteAccess {
  /// Throws an error if an address is not the HTTP or HTTPS address of a site.
  static func check(_ address: String, option: String = "--base-url") throws {
    guard let url = URL(string: address), url.host != nil,
      ["http", "https"].contains(url.scheme)
    else { throw ValidationError("\(option) must be an address such as http://127.0.0.1:8000/.") }
  }

  /// Returns a client for a site with the cookies of a file. Without a file, the cookies are lost at exit.
  static func client(
    of address: String, cookies: String?, imageHosts: [String] = []
  ) throws -> ForumClient {
    guard let base = URL(string: address) else { throw ExitCode.failure }
    return ForumClient(
      base: base, cookies: try CookieFile(cookies.map { URL(filePath: $0) }),
      imageHosts: imageHosts.compactMap { URL(string: $0) })
  }

  /// The password in the environment variable AWFUL_PASSWORD; nil if the variable is not set or is empty.
  static var password: String? {
    let password = ProcessInfo.processInfo.environment["AWFUL_PASSWORD"] ?? ""
    return password.isEmpty ? nil : password
  }

  /// Logs in with the password from the environment, unless the client is already logged in or there is no user name.
  static func logIn(_ user: String?, _ client: ForumClient) async throws {
    guard let user, !client.isLoggedIn else { return }
    guard let password else {
      throw ValidationError("No password is set. To log in with --user, set AWFUL_PASSWORD.")
    }
    try await ForumLogIn.logIn(user, password: password, client)
  }
}
