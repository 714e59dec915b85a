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
  /// - Throws: `ClientError`, `PageError`, or `ForumErrorPage` with the site's refusal; the cookies
  ///   are dropped then, so that a half log-in does not look like one.
  public static func logIn(_ name: String, password: String, _ client: ForumClient) async throws {
    do {
      let answer = try await client.send(
        "account.php", query: [("json", "1")],
        body: FormBody(urlEncoding: [
          ("action", "login"), ("username", name), ("password", password),
          ("next", "/index.php?json=1"),
        ]))
      let page = try PageScraper.scrape(answer.bytes, contentType: answer.contentType)
      _ = try page.expectIndex()
    } catch {
      try client.cookies.removeAll()
      throw error
    }
  }
}
