public import ForumClient
import ForumHTML
import ForumScraping

/// Logs a reader in.
public enum ForumLogIn {
  /// Sends the name and password. Afterwards, the client's cookies represent the login.
  ///
  /// - Parameters:
  ///   - name: The user's name.
  ///   - password: The password.
  ///   - client: The reader's client.
  /// - Throws: `ClientError`, `PageError`, or `ForumErrorPage` with the site's refusal. After an error, the client keeps its previous
  ///   cookies and none from the attempt, so that a failed attempt does not look like a login.
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
