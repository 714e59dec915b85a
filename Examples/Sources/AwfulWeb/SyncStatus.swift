public import AwfulCore
import ForumScraping
public import Foundation
import WebPages

/// The result of the last sync, for pages. Shared.
public actor SyncStatus {
  /// The state of the sync.
  public enum State: Sendable, Equatable {
    /// The program does not sync, and pages show what is stored.
    case stored
    /// A sync is running.
    case running
    /// The last sync succeeded.
    case synced(Date)
    /// The last sync succeeded, except for some requests, each of which has a one-line description.
    case incomplete(Date, failures: [String])
    /// The last sync failed: the reason, the date of the first failure, and the date of the last success, if any.
    case offline(reason: String, since: Date, synced: Date?)
  }

  private var state = State.stored
  private var synced: Date?
  private var failedSince: Date?
  private var continuations: [UUID: AsyncStream<Void>.Continuation] = [:]

  /// Creates the status of a program that does not sync.
  public init() {}

  /// Records an event of a follower of the site, and updates the pages.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - refreshed: The date when the index was last fetched, for a sync that found all lists young enough.
  ///   - now: The current date.
  public func note(_ event: SiteFollower.Event, refreshed: Date?, now: Date = Date()) {
    switch event {
    case .began: set(.running)
    case .finished(let report):
      if report.pageCount > 0 { synced = now }
      failedSince = nil
      let date = synced ?? refreshed ?? now
      // The site's refusal of a page is an answer, not a failure of the sync.
      let failures = report.failures.filter { !($0.reason is ForumErrorPage) }.map(\.description)
      set(failures.isEmpty ? .synced(date) : .incomplete(date, failures: failures))
    case .failed(let error):
      failedSince = failedSince ?? now
      let reason = (error as? SyncError)?.sentence ?? "\(error)"
      set(.offline(reason: reason, since: failedSince ?? now, synced: synced))
    }
  }

  /// Sets the state of the sync, and updates the pages.
  public func set(_ state: State) {
    self.state = state
    for continuation in continuations.values { continuation.yield() }
  }

  nonisolated func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = UUID()
      continuation.onTermination = { _ in Task { await self.remove(id) } }
      Task { await self.add(continuation, id) }
    }
  }

  private func add(_ continuation: AsyncStream<Void>.Continuation, _ id: UUID) {
    continuations[id] = continuation
    continuation.yield()
  }

  private func remove(_ id: UUID) { continuations[id] = nil }

  var row: LiveRow {
    let markup = element(.li, .id("sync")) {
      switch state {
      case .stored: "Showing stored content."
      case .running: "Fetching new content…"
      case .synced(let date): "Up to date as of \(Wording.day(date))."
      case .incomplete(let date, let failures):
        element(.span, .class("warn-text")) {
          "Up to date as of \(Wording.day(date)), except for \(Wording.count(failures.count, "failed request"))"
            + (failures.first.map { " (\($0))." } ?? ".")
        }
      case .offline(let reason, let since, let synced):
        element(.span, .class("warn-text")) {
          "Offline since \(Wording.day(since)): \(reason) You can still read stored content"
            + (synced.map { " (last updated \(Wording.day($0)))." } ?? ".")
        }
      }
    }
    return LiveRow(id: "sync", markup: markup)
  }
}
