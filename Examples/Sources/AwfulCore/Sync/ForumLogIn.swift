public import ForumClient
import ForumHTML
import ForumScraping

/// Logs a profile in.
public enum ForumLogIn {
  /// Sends name and password; the client's cookies are the log-in from then on.
  ///
  /// - Parameters:
  ///   - name: The user's name.
  ///   - password: The password.
  ///   - client: The profile's client.
  /// - Throws: `ClientError`, `PageError`, or `ForumErrorPage` with the site's refusal. The client keeps the cookies that
  ///   it had, and none of the attempt, so that a half log-in does not look like one.
  public static func logIn(_ name: String, password: String, _ client: ForumClient) async throws {
    try await client.loggingIn { attempt in
      let answer = try await attempt.send(
        "account.php", query: [("json", "1")],
        body: FormBody(urlEncoding: [
          ("action", "login"), ("username", name), ("password", password),
          ("next", attempt.path(of: "index.php?json=1")),
        ]))
      let page = try PageScraper.scrape(answer.bytes, contentType: answer.contentType)
      _ = try page.expectIndex()
    }
  }
}
