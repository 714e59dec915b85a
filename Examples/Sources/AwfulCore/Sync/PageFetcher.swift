import ForumClient
import ForumHTML
import ForumScraping
import Foundation

/// Fetches and reads pages, again and again while the trouble may pass.
///
/// A value; it never stores anything but reports.
struct PageFetcher: Sendable {
  let client: ForumClient
  let retry: PageRetryPolicy
  let clock: SyncClock
  /// Where pages are kept that cannot be read; nil keeps none.
  let reports: PageReports?

  /// A page that was read.
  struct Reading: Sendable {
    let page: ScrapedPage
    let wasLoggedOut: Bool
  }

  /// A fetcher that asks for each page once.
  var withoutRetries: PageFetcher {
    let once = PageRetryPolicy(attemptLimit: 1, firstPause: .zero, longestPause: .zero)
    return PageFetcher(client: client, retry: once, clock: clock, reports: reports)
  }

  /// Fetches and reads a page.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the site's address.
  ///   - query: The names and values.
  /// - Returns: The page, which may be one of the site's error pages.
  /// - Throws: `ClientError`, `PageError`, or `ForumErrorPage` when the site's trouble lasted.
  func page(_ path: String, _ query: [(String, String)]) async throws -> Reading {
    var attempt = 1
    while true {
      do {
        return try await read(path, query)
      } catch {
        guard let pause = retry.pause(after: attempt, error) else { throw error }
        try await clock.sleep(pause)
        attempt += 1
      }
    }
  }

  /// Fetches and reads a page of posts.
  ///
  /// - Parameter place: Which page: a thread, a post, or a page number, as the site's addresses have them.
  func posts(_ place: [(String, String)]) async throws -> Reading {
    try await page("showthread.php", place + Self.leavingMarks)
  }

  /// Asks for pages of a fixed size, and leaves the reader's marks where they are.
  static let leavingMarks = [("perpage", "\(ForumThread.postsPerPage)"), ("noseen", "1")]

  /// What became of a form that was sent.
  enum Sent: Sendable {
    /// The site answered with a page that is none of its error pages.
    case answered(ScrapedPage)
    /// The site may have the form, or not: why no answer tells.
    case unclear(any Error)
  }

  /// Sends a form once, whatever happens.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal; `ClientError` when the form certainly did not reach the site.
  func send(_ form: ScrapedForm, _ fields: [(String, String)]) async throws -> Sent {
    let body =
      form.encodingType.hasPrefix("multipart")
      ? FormBody(multipart: fields) : FormBody(urlEncoding: fields)
    return try await send(form.action, body)
  }

  /// Sends a form to a path once, whatever happens.
  ///
  /// - Throws: `ForumErrorPage` with the site's refusal; `ClientError` when the form certainly did not reach the site.
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

  /// A site whose database goes away may have taken the form before.
  private static func meaning(of refusal: ForumErrorPage) throws -> Sent {
    if refusal.kind == .databaseUnavailable { return .unclear(refusal) }
    throw refusal
  }

  private func read(_ path: String, _ query: [(String, String)]) async throws -> Reading {
    let fetched: FetchedPage
    do {
      fetched = try await client.page(path, query: query)
    } catch let error as ClientError {
      throw await reportedError(in: error) ?? error
    }
    let page = try await scrape(fetched)
    if case .error(let error) = page, PageRetryPolicy.isTransient(error) { throw error }
    return Reading(page: page, wasLoggedOut: fetched.wasLoggedOut)
  }

  /// The site's own words for an error status, where it came with one of the site's pages.
  private func reportedError(in error: ClientError) async -> ForumErrorPage? {
    guard let fetched = error.page else { return nil }
    // A page that cannot be read says nothing; the status tells enough then.
    guard case .error(let reported)? = try? await scrape(fetched) else { return nil }
    return reported
  }

  /// Reads a page on a thread that may take its time: those of tasks must not wait for the parser.
  private func scrape(_ fetched: FetchedPage) async throws -> ScrapedPage {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(
          returning: Result {
            try PageScraper.scrape(
              fetched.bytes, contentType: fetched.contentType,
              address: fetched.address.absoluteString)
          })
      }
    }
    do {
      return try result.get()
    } catch let error as PageError {
      // An error of the site is reported by its status; what cannot be kept changes nothing about the error.
      if fetched.status < 400 {
        try? reports?.keep(
          fetched.bytes, contentType: fetched.contentType, page: fetched.address.path, error: error)
      }
      throw error.naming(fetched.address.path)
    }
  }
}
