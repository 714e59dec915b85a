import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Fetches single pages of the site while the reader waits, and sends the site's forms back to it.
///
/// A page that is asked for while it is on its way is fetched once, and so is a form that is sent twice at a time.
actor SitePages {
  nonisolated let store: ForumStore
  nonisolated let fetcher: PageFetcher
  private var flights: [String: Task<ScrapedPage, any Error>] = [:]

  /// - Parameters:
  ///   - store: Where pages are stored.
  ///   - fetcher: How they are fetched.
  init(store: ForumStore, fetcher: PageFetcher) {
    self.store = store
    self.fetcher = fetcher
  }

  /// What becomes of a page.
  enum Use: Sendable {
    /// It is read.
    case read
    /// It is read and stored.
    case store
  }

  /// Fetches a page for the reader who is logged in.
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
        try await store.importPage(reading.page, refreshed: fetcher.clock.now())
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

  /// Sends a form, once whatever happens.
  ///
  /// - Parameters:
  ///   - form: The form, as the site's page has it.
  ///   - fields: What is sent.
  /// - Returns: The site's answer, which is none of its error pages.
  /// - Throws: `SiteRequestError`; with code `.unclear` the site may have got the form.
  @discardableResult
  func send(_ form: ScrapedForm, _ fields: [(String, String)]) async throws -> ScrapedPage {
    try await inFlight("send \(form.action)?\(FormBody.query(fields))") { [self] in
      try await requireReader()
      switch try await fetcher.send(form, fields) {
      case .answered(let page): return page
      case .unclear(let error):
        throw SiteRequestError(
          .unclear,
          "The site's answer is missing, so it may have been done or not. Look before you do it again.",
          underlying: error)
      }
    }
  }

  /// Joins a request for the same thing that is on its way.
  private func inFlight(
    _ key: String, _ work: @escaping @Sendable () async throws -> ScrapedPage
  ) async throws -> ScrapedPage {
    do {
      if let flight = flights[key] { return try await flight.value }
      // Not ended with the request of a page that is closed: others may wait for it.
      let flight = Task { try await work() }
      flights[key] = flight
      defer { flights[key] = nil }
      return try await flight.value
    } catch {
      throw SiteRequestError(error)
    }
  }

  /// Refuses the log-in of another reader than the one whose store it is. Before a first sync, the index tells who is logged in.
  private nonisolated func requireReader() async throws {
    let client = fetcher.client
    guard client.isLoggedIn else {
      throw SiteRequestError(
        .notLoggedIn,
        "No reader is logged in. Run awful login, or awful serve with --user, and try again.")
    }
    let reader = store.readerID
    if let reader, reader == client.userID { return }
    let index = try await fetcher.page("index.php", [("json", "1")]).page.expectIndex()
    guard let user = index.user else { throw SiteRequestError.loggedOut }
    if let reader, reader != user.userID {
      throw SiteRequestError(
        .otherReader,
        "The store holds the messages of another reader. Use another store for this log-in.")
    }
    try store.noteReader(user.userID)
  }
}
