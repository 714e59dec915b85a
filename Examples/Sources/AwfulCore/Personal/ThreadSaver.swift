import CoreData
import ForumClient
import ForumHTML
import ForumScraping
import Foundation
import OpenPersistenceKit

/// Fetches threads for offline reading, completely or in part, page by page.
///
/// Each page takes one save of the site store and one save of the next page number. A program that exits in between fetches at most one
/// page again. One thread is fetched at a time.
public actor ThreadSaver {
  private let marks: ReaderMarks
  private let personal: PersonalStore
  private let fetcher: PageFetcher
  private var isRunning = false

  init(marks: ReaderMarks, fetcher: PageFetcher) {
    self.marks = marks
    personal = marks.personal
    self.fetcher = fetcher
  }

  /// Fetches the missing pages of the saved threads until all are stored or the site cannot be reached.
  ///
  /// If a page of a thread cannot be read, or requires a login, the thread waits for the next call, and the others are fetched. Three
  /// unreadable pages in a row end the call.
  ///
  /// Does nothing while another call runs; that call fetches all threads.
  ///
  /// - Throws: Any error from the stores, or `CancellationError`.
  public func run() async throws {
    if isRunning { return }
    isRunning = true
    defer { isRunning = false }
    var skipped: Set<String> = []
    var streak = FailureStreak()
    while let thread = try await next(besides: skipped) {
      switch try await fetchPage(of: thread) {
      case .fetched: streak.end()
      case .failed(let scope):
        if streak.endsRequests(scope) { return }
        skipped.insert(thread.threadID)
      }
    }
  }

  /// The result of fetching a page.
  private enum Outcome {
    /// The page is stored, or the site refuses access to the thread.
    case fetched
    /// The page was not stored; a later call fetches it.
    case failed(FailureScope)
  }

  private struct Step: Sendable {
    let threadID: String
    let page: Int
  }

  private func next(besides skipped: Set<String>) async throws -> Step? {
    try await personal.performBackgroundTask { context in
      let request = NSFetchRequest<SavedThread>(entityName: "SavedThread")
      request.predicate = NSPredicate(
        format: "state == %@ AND NOT (threadID IN %@)",
        argumentArray: [SavedThreadState.waiting.rawValue, Array(skipped)])
      request.sortDescriptors = [
        NSSortDescriptor(key: "askedAt", ascending: true),
        NSSortDescriptor(key: "threadID", ascending: true),
      ]
      request.fetchLimit = 1
      return try context.fetch(request).first.map {
        Step(threadID: $0.threadID, page: Int($0.nextPage))
      }
    }
  }

  private func fetchPage(of step: Step) async throws -> Outcome {
    try Task.checkCancellation()
    do {
      let reading = try await fetcher.posts([
        ("threadid", step.threadID), ("pagenumber", "\(step.page)"),
      ])
      let page = try reading.page.expectThread()
      try await marks.importPage(
        reading.page, refreshed: fetcher.clock.now(), requestedAfter: reading.requestedAt)
      try await note(step.threadID) { thread in
        // If the thread has fewer pages than the requested number, the site answers with the last page.
        let isLast =
          page.pages.page >= page.pages.count || page.pages.page < step.page
          || (thread.lastPage > 0 && step.page >= thread.lastPage)
        thread.pageCount = Int32(clamping: page.pages.count)
        thread.problem = nil
        // The reader may have chosen earlier pages in the meantime.
        guard thread.nextPage == Int32(clamping: step.page) else { return }
        thread.nextPage = Int32(clamping: min(step.page, page.pages.count) + 1)
        if isLast, thread.state == SavedThreadState.waiting.rawValue {
          thread.state = SavedThreadState.done.rawValue
        }
      }
      return .fetched
    } catch let error as ForumErrorPage where error.isFinal {
      try await note(step.threadID) { thread in
        thread.state = SavedThreadState.refused.rawValue
        thread.problem = "The site says: \(error)"
      }
      return .fetched
    } catch let error where error is ClientError || error is PageError || error is ForumErrorPage {
      let problem = Self.sentence(for: error)
      try await note(step.threadID) { $0.problem = problem }
      return .failed(FailureScope(error))
    }
  }

  private static func sentence(for error: any Error) -> String {
    switch error {
    case let error as ForumErrorPage where error.kind == .mustRegister:
      "You are not logged in. Log in to fetch the thread."
    case let error as ForumErrorPage: "The site says: \(error)"
    case let error as ClientError: error.message
    default: "The site's response cannot be read."
    }
  }

  /// Updates a saved thread. A thread that was removed in the meantime stays removed.
  private func note(
    _ threadID: String, _ change: @escaping @Sendable (SavedThread) -> Void
  ) async throws {
    try await personal.performBackgroundTask { context in
      let request = PersonalStore.request(SavedThread.self, "threadID", threadID)
      if let thread = try context.fetch(request).first { change(thread) }
    }
  }
}
