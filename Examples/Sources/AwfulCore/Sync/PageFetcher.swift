import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import StoreSharing

/// Fetches and reads pages, with retries for transient errors.
///
/// A value. It stores nothing except reports.
struct PageFetcher: Sendable {
  let client: ForumClient
  let retry: PageRetryPolicy
  let clock: SyncClock
  /// The folder for reports of unreadable pages; nil keeps none.
  let reports: PageReports?

  /// A page that has been read.
  struct Reading: Sendable {
    let page: ScrapedPage
    let wasLoggedOut: Bool
    /// The date when the page was requested, according to the system's clock.
    let requestedAt: Date
  }

  /// A fetcher that requests each page once.
  var withoutRetries: PageFetcher {
    let once = PageRetryPolicy(attemptLimit: 1, firstPause: .zero, longestPause: .zero)
    return PageFetcher(client: client, retry: once, clock: clock, reports: reports)
  }

  /// Fetches and reads a page.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the site's address.
  ///   - query: The query names and values.
  /// - Returns: The page, which may be one of the site's error pages.
  /// - Throws: `ClientError`, `PageError`, or `ForumErrorPage` if an outage of the site outlasts the retries.
  func page(_ path: String, _ query: [(String, String)]) async throws -> Reading {
    var attempt = 1
    while true {
      do {
        return try await read(path, query)
      } catch {
        // The site's own page states the cause; the status with the requested pause is in the client's error.
        var cause = error
        let answer = error as? ClientError
        if let answer, let reported = await reportedError(in: answer) { cause = reported }
        let asked = answer?.retryAfterInSeconds
        guard let pause = retry.pause(after: attempt, cause, atLeast: asked) else { throw cause }
        try await clock.sleep(pause)
        attempt += 1
      }
    }
  }

  /// Fetches and reads a page of posts.
  ///
  /// - Parameter place: The query that selects the page: a thread, a post, or a page number, as in the site's addresses.
  func posts(_ place: [(String, String)]) async throws -> Reading {
    try await page("showthread.php", place + Self.leavingMarks)
  }

  /// The query that requests pages of a fixed size and leaves the reader's marks unchanged.
  static let leavingMarks = [("perpage", "\(ForumThread.postsPerPage)"), ("noseen", "1")]

  /// The result of sending a form.
  enum Sent: Sendable {
    /// The site answered with a page that is not one of its error pages.
    case answered(ScrapedPage)
    /// It is unknown whether the site received the form, for the reason given by the error.
    case unclear(any Error)
  }

  /// Sends a form once, without retries.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, or `ClientError` if the form certainly did not reach the site.
  func send(_ form: ScrapedForm, _ fields: [(String, String)]) async throws -> Sent {
    let body =
      form.encodingType.hasPrefix("multipart")
      ? FormBody(multipart: fields) : FormBody(urlEncoding: fields)
    return try await send(form.action, body)
  }

  /// Sends a form to a path once, without retries.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, or `ClientError` if the form certainly did not reach the site.
  func send(_ path: String, _ body: FormBody) async throws -> Sent {
    do {
      let page = try await scrape(try await client.send(path, body: body))
      if case .error(let refusal) = page { return try Self.meaning(of: refusal) }
      return .answered(page)
    } catch let error as ClientError {
      if let refusal = await reportedError(in: error) { return try Self.meaning(of: refusal) }
      if !error.mayHaveArrived { throw error }
      return .unclear(error)
    } catch let error as PageError {
      return .unclear(error)
    }
  }

  /// Sends a form whose answer contains no information except a refusal.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal, `ClientError` if the site cannot be reached or its answer is lost, or `PageError`
  ///   if the answer is a page of another site, such as the log-in page of a wireless network.
  func tell(_ path: String, _ fields: [(String, String)]) async throws {
    switch try await send(path, FormBody(urlEncoding: fields)) {
    case .answered: break
    // The site answers a successful request without a page.
    case .unclear(let error as PageError) where !Self.isForeignPage(error): break
    case .unclear(let error): throw error
    }
  }

  /// Returns whether the answer is a complete page that does not belong to the forum.
  private static func isForeignPage(_ error: PageError) -> Bool {
    error.code == .missingMarker && error.marker == PageScraper.siteMarker
  }

  /// Interprets an error page. If the site's database is unavailable, the site may have accepted the form before the outage.
  private static func meaning(of refusal: ForumErrorPage) throws -> Sent {
    if refusal.kind == .databaseUnavailable { return .unclear(refusal) }
    throw refusal
  }

  private func read(_ path: String, _ query: [(String, String)]) async throws -> Reading {
    let start = Date()
    let fetched = try await client.page(path, query: query)
    let page = try await scrape(fetched)
    if case .error(let error) = page, PageRetryPolicy.isTransient(error) { throw error }
    return Reading(page: page, wasLoggedOut: fetched.wasLoggedOut, requestedAt: start)
  }

  /// Returns the site's own error message for an error status, if the response contains one of the site's pages.
  private func reportedError(in error: ClientError) async -> ForumErrorPage? {
    guard let fetched = error.page else { return nil }
    // An unreadable page adds no information; the status is enough.
    guard case .error(let reported)? = try? await scrape(fetched) else { return nil }
    return reported
  }

  /// Reads a page on a dispatch queue, because the parser must not block the threads that run tasks.
  private func scrape(_ fetched: FetchedPage) async throws -> ScrapedPage {
    do {
      return try await LongWork.run {
        try PageScraper.scrape(
          fetched.bytes, contentType: fetched.contentType,
          address: fetched.address.absoluteString)
      }
    } catch let error as PageError {
      // An error status needs no report, and a report that cannot be kept does not affect the error.
      if fetched.status < 400 {
        try? reports?.keep(
          fetched.bytes, contentType: fetched.contentType, page: fetched.address.path, error: error)
      }
      throw error.naming(fetched.address.path)
    }
  }
}
