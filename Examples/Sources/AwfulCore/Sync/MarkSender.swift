import ForumClient
import ForumScraping
import Foundation
import StoreSharing

/// Sends the pending read marks to the site, one request at a time.
///
/// Two simultaneous requests can reach the site in the wrong order, and then leave the older mark on the site. Calls in this program
/// therefore share one sending, and a file lock makes other programs wait.
actor MarkSender {
  private let marks: ReaderMarks
  private let fetcher: PageFetcher
  private var flight: Task<[SyncReport.Failure], any Error>?
  /// Whether the marks must be read again, because a call came after they were read.
  private var isAskedAgain = false

  init(marks: ReaderMarks, fetcher: PageFetcher) {
    self.marks = marks
    self.fetcher = fetcher
  }

  /// Sends all marks that were pending at the time of the call. A call during another call joins that call, and gets its result.
  ///
  /// Canceling one of the joined calls ends all of them.
  ///
  /// - Returns: The marks that could not be sent, which stay pending.
  /// - Throws: The same errors as `SiteActions.sendMarks()`. The marks that were not sent stay pending.
  func send() async throws -> [SyncReport.Failure] {
    isAskedAgain = true
    let flight = flight ?? makeFlight()
    self.flight = flight
    return try await withTaskCancellationHandler {
      try await flight.value
    } onCancel: {
      flight.cancel()
    }
  }

  private func makeFlight() -> Task<[SyncReport.Failure], any Error> {
    Task { try await self.sendAll() }
  }

  private func sendAll() async throws -> [SyncReport.Failure] {
    defer { flight = nil }
    var failures: [SyncReport.Failure] = []
    while isAskedAgain {
      isAskedAgain = false
      failures = try await sendPending()
    }
    return failures
  }

  /// - Returns: The marks that could not be sent. The other marks are still sent.
  private func sendPending() async throws -> [SyncReport.Failure] {
    let lock = try await takeLock()
    defer { withExtendedLifetime(lock) {} }
    var failures: [SyncReport.Failure] = []
    var streak = FailureStreak()
    for (threadID, seen) in try await marks.pending() {
      let subject = "thread \(threadID)"
      do {
        try await fetcher.tell("showthread.php", Self.fields(threadID, seen))
        // The site answers a request without a login, but ignores the mark.
        guard fetcher.client.isLoggedIn else { throw SyncError(.loggedOut, .marks, subject) }
      } catch let error as ForumErrorPage where error.isFinal {
        // The site no longer has the thread, or does not show it to this reader.
        streak.end()
        try await marks.forget(threadID, seen)
        continue
      } catch {
        if streak.endsRequests(FailureScope(error)) { throw error }
        failures.append(SyncReport.Failure(phase: .marks, subject: subject, reason: error))
        continue
      }
      streak.end()
      try await marks.accept(threadID, seen)
    }
    return failures
  }

  private static func fields(_ threadID: String, _ seen: Int32) -> [(String, String)] {
    seen > 0
      ? [("action", "setseen"), ("threadid", threadID), ("index", "\(seen)"), ("json", "1")]
      : [("action", "resetseen"), ("threadid", threadID), ("json", "1")]
  }

  /// Waits until no other program sends marks.
  ///
  /// - Returns: The lock; nil for an in-memory store, which no other program can open.
  private func takeLock() async throws -> FileLock? {
    guard let file = marks.personal.file else { return nil }
    let path = "\(file.path).marks"
    while true {
      do {
        if let lock = try FileLock.takeIfFree(path) { return lock }
      } catch let error as POSIXError {
        throw ForumStoreError(
          .notOpened, "The lock for sending read marks cannot be acquired.", path: path,
          underlying: error)
      }
      try await fetcher.clock.sleep(.milliseconds(50))
    }
  }
}
