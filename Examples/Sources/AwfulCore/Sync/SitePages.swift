import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Fetches single pages of the site while the reader waits, and sends the site's forms.
///
/// Concurrent requests for the same page share one fetch. Forms that are sent twice at the same time are sent once.
actor SitePages {
  nonisolated let fetcher: PageFetcher
  private nonisolated let marks: ReaderMarks
  nonisolated var store: ForumStore { marks.store }
  private var flights: [String: Task<ScrapedPage, any Error>] = [:]

  /// - Parameters:
  ///   - marks: The reader's marks, which imports of pages keep.
  ///   - fetcher: The fetcher that reads the pages.
  init(marks: ReaderMarks, fetcher: PageFetcher) {
    self.marks = marks
    self.fetcher = fetcher
  }

  /// The use of a fetched page.
  enum Use: Sendable {
    /// The page is read.
    case read
    /// The page is read and stored.
    case store
  }

  /// Fetches a page for the logged-in reader.
  ///
  /// - Throws: `SiteRequestError`.
  func page(
    _ path: String, _ query: [(String, String)], _ use: Use = .read
  ) async throws -> ScrapedPage {
    try await inFlight("\(use) \(path)?\(FormBody.query(query))") { [self] in
      try await requireReader()
      let reading = try await fetcher.page(path, query)
      if reading.wasLoggedOut || reading.page.isForMember == false {
        throw SiteRequestError.loggedOut
      }
      if case .error(let error) = reading.page { throw error }
      if use == .store {
        try await marks.importPage(
          reading.page, refreshed: fetcher.clock.now(), requestedAfter: reading.requestedAt)
      }
      return reading.page
    }
  }

  /// Fetches and stores a page of posts, without moving the reader's mark.
  ///
  /// - Throws: `SiteRequestError`.
  func storePosts(_ place: [(String, String)]) async throws {
    _ = try await page("showthread.php", place + PageFetcher.leavingMarks, .store)
  }

  /// Sends a form once, without retries.
  ///
  /// - Parameters:
  ///   - form: The form from the site's page.
  ///   - fields: The names and values to send.
  /// - Returns: The site's answer, which is not one of its error pages.
  /// - Throws: `SiteRequestError`. If the code is `.unclear`, the site may have received the form.
  @discardableResult
  func send(_ form: ScrapedForm, _ fields: [(String, String)]) async throws -> ScrapedPage {
    try await inFlight("send \(form.action)?\(FormBody.query(fields))") { [self] in
      try await requireReader()
      switch try await fetcher.send(form, fields) {
      case .answered(let page): return page
      case .unclear(let error):
        throw SiteRequestError(
          .unclear,
          "The site's response was lost, so the change may or may not have been made. Check the site before you try again.",
          underlying: error)
      }
    }
  }

  /// Joins identical work that is in flight, or starts it.
  ///
  /// - Parameters:
  ///   - key: The text that identifies the work.
  ///   - work: The work, which continues even if the caller's task is canceled.
  /// - Throws: `SiteRequestError`.
  func inFlight(
    _ key: String, _ work: @escaping @Sendable () async throws -> ScrapedPage
  ) async throws -> ScrapedPage {
    do {
      if let flight = flights[key] { return try await flight.value }
      // An unstructured task, so that it does not end when one page is closed: other requests may wait for it.
      let flight = Task { try await work() }
      flights[key] = flight
      defer { flights[key] = nil }
      return try await flight.value
    } catch {
      throw SiteRequestError(error)
    }
  }

  /// Throws if the login belongs to a reader other than the store's reader. Before the first sync, the index shows who is logged in.
  private nonisolated func requireReader() async throws {
    let client = fetcher.client
    guard client.isLoggedIn else {
      throw SiteRequestError(
        .notLoggedIn,
        "You are not logged in. Run awful login, or run awful serve with --user, and try again.")
    }
    let reader = store.readerID
    if let reader, reader == client.userID { return }
    let index = try await fetcher.page("index.php", [("json", "1")]).page.expectIndex()
    guard let user = index.user else { throw SiteRequestError.loggedOut }
    if let reader, reader != user.userID {
      throw SiteRequestError(
        .otherReader,
        "The store contains the messages of another user. Use a different store for this login.")
    }
    try store.noteReader(user.userID)
  }
}
