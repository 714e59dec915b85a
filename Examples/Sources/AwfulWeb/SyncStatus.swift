public import AwfulCore
public import Foundation
import WebPages

/// What the last sync came to, for pages. Shared.
public actor SyncStatus {
  /// How the site is being followed.
  public enum State: Sendable, Equatable {
    /// It is not: pages show what is stored.
    case stored
    /// A sync is under way.
    case running
    /// The last sync succeeded.
    case synced(Date)
    /// The last sync failed: why, and when it was; the last one that succeeded, if any.
    case offline(reason: String, since: Date, synced: Date?)
  }

  private var state = State.stored
  private var synced: Date?
  private var failedSince: Date?
  private var continuations: [UUID: AsyncStream<Void>.Continuation] = [:]

  /// Makes the status of a program that does not sync.
  public init() {}

  /// Notes what a follower of the site reports; pages are told.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - refreshed: When the index was last fetched, for a sync that found all lists young enough.
  ///   - now: The present instant.
  public func note(_ event: SiteFollower.Event, refreshed: Date?, now: Date = Date()) {
    switch event {
    case .began: set(.running)
    case .finished(let report):
      if report.pageCount > 0 { synced = now }
      failedSince = nil
      set(.synced(synced ?? refreshed ?? now))
    case .failed(let error):
      failedSince = failedSince ?? now
      let reason = (error as? SyncError)?.sentence ?? "\(error)"
      set(.offline(reason: reason, since: failedSince ?? now, synced: synced))
    }
  }

  /// Notes how the site is being followed; pages are told.
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
      case .stored: "Showing what is stored."
      case .running: "Fetching what is new…"
      case .synced(let date): "Up to date at \(Wording.day(date))."
      case .offline(let reason, let since, let synced):
        element(.span, .class("warn-text")) {
          "Offline since \(Wording.day(since)): \(reason) Everything stored can be read"
            + (synced.map { "; it is of \(Wording.day($0))." } ?? ".")
        }
      }
    }
    return LiveRow(id: "sync", markup: markup)
  }
}
