import ArgumentParser
import AwfulCore
import ForumClient
import Foundation
import CommandParts

/// The site and the file that stores its login.
struct SiteOptions: ParsableArguments {
  @Option(help: "The site's address.")
  var baseURL: String

  @Option(help: "The file that stores the login.", completion: .file(), transform: Input.path)
  var cookies: String

  func validate() throws { try SiteAccess.check(baseURL) }

  /// Returns a client with the cookies of the file.
  func client() throws -> ForumClient {
    try SiteAccess.client(of: baseURL, cookies: cookies)
  }
}

/// Logs in, and stores the login in a file.
struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Log in to the site.",
    discussion: """
      The password is read from the environment variable AWFUL_PASSWORD. If the variable is not set, the command asks for the password.
      """)

  @OptionGroup var site: SiteOptions

  @Option(help: "The user name to log in with.")
  var user: String

  func run() async throws {
    try await Terminal.reporting {
      let client = try site.client()
      try await ForumLogIn.logIn(user, password: try Self.password(), client)
      let expiry = client.logInExpiry.map { " until \($0.formatted(.iso8601))" } ?? ""
      print(Terminal.printable("Logged in as \(user)\(expiry)."))
    }
  }

  private static func password() throws -> String {
    if let password = SiteAccess.password { return password }
    if isatty(STDIN_FILENO) == 1, let typed = getpass("Password: "), typed.pointee != 0 {
      return String(cString: typed)
    }
    throw ValidationError(
      "No password was entered. Set AWFUL_PASSWORD, or run the command in a terminal.")
  }
}

/// Deletes the stored login. The store stays unchanged.
struct Logout: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Delete the stored login. The store is not changed.")

  @OptionGroup var site: SiteOptions

  func run() throws {
    try Terminal.reporting {
      guard let base = URL(string: site.baseURL) else { throw ExitCode.failure }
      try CookieFile(URL(filePath: site.cookies)).removeAll(of: base)
      print("Logged out.")
    }
  }
}
