public import Foundation
public import OpenPersistenceKit
import StoreSharing

/// Deletes old content of a store automatically, according to the reader's policy: threads that no list shows, and stored images.
///
/// Bookmarked and saved threads, threads with bookmarked posts, and threads on screen are kept. A value over the stores; safe to use from
/// any thread.
public struct AutomaticDeletion: Sendable {
  /// The reader's policy.
  public struct Policy: Sendable, Equatable, Codable {
    /// The number of days after which a thread that no list shows is deleted; nil to keep such threads.
    public var days: Int?
    /// The size of the content in megabytes, above which the oldest threads that no list shows are deleted earlier; nil for no limit.
    public var megabytes: Int?

    /// Creates a policy.
    public init(days: Int?, megabytes: Int?) {
      self.days = days
      self.megabytes = megabytes
    }

    /// The age in days above which threads are deleted; infinity to keep them. A stored number below 1 deletes nothing.
    var maximumAge: Double {
      days.flatMap { $0 < 1 ? nil : Double(min($0, 1_000_000)) } ?? .infinity
    }

    /// The size limit in bytes; nil for no limit. A stored number below 1 sets no limit.
    var sizeLimit: Int64? {
      megabytes.flatMap { $0 < 1 ? nil : Int64(min($0, 1_000_000_000)) * 1_000_000 }
    }

    /// The policy of a store without a choice of the reader: 30 days, and 100 megabytes.
    public static let standard = Policy(days: 30, megabytes: 100)
  }

  /// The latest automatic deletion of a store.
  public struct Record: Sendable, Equatable, Codable {
    /// The date when the store was last searched for old content.
    public var checkedAt: Date
    /// The date when content was last deleted; nil if none was deleted yet.
    public var deletedAt: Date?
    /// The number of threads that were deleted then.
    public var threadCount = 0
    /// The number of posts that were deleted then.
    public var postCount = 0
  }

  /// The time in seconds between two searches for old threads.
  private static let spacing = 20.0 * 3_600
  /// The time in seconds between two searches while the store is too large.
  private static let sizeSpacing = 3_600.0
  /// The pause after the start of a program, which has more urgent work then.
  private static let firstPause = Duration.seconds(30)

  private let store: ForumStore
  private let personal: PersonalStore
  private let pictures: MemberPictures
  private let viewers: StoreViewers
  private let clock: SyncClock

  /// Creates the automatic deletion of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - personal: The store of the saved threads and the bookmarked posts.
  ///   - pictures: The stored images.
  ///   - viewers: The programs that show the store.
  ///   - clock: The clock.
  public init(
    store: ForumStore, personal: PersonalStore, pictures: MemberPictures, viewers: StoreViewers,
    clock: SyncClock = .system
  ) {
    self.store = store
    self.personal = personal
    self.pictures = pictures
    self.viewers = viewers
    self.clock = clock
  }

  /// Deletes old content, unless that was done recently, or another program shows the store.
  ///
  /// Old threads are searched for at most every 20 hours, or every hour while the store is larger than the policy allows.
  ///
  /// - Parameter shown: A closure that returns the ids of the threads that this program shows.
  /// - Returns: A report of the deletions; nil if there was no search.
  /// - Throws: Any error from the stores. Earlier deletions stay in effect.
  public func runIfDue(
    keeping shown: @Sendable () async -> [String] = { [] }
  ) async throws -> PruningReport? {
    let policy = store.deletionPolicy
    guard isDue(policy) else { return nil }
    return try await viewers.whileAlone {
      let kept = try await personal.keptIDs()
      let report = try await store.pruneInBackground(
        olderThanDays: policy.maximumAge, keeping: kept.threads + (await shown()),
        keepingPosts: kept.posts, sizeLimit: policy.sizeLimit, now: clock.now)
      _ = try await LongWork.run { [pictures] in pictures.removeExpired() }
      try note(report)
      return report
    }
  }

  /// Deletes what is due from time to time, until the task is canceled.
  ///
  /// - Parameters:
  ///   - shown: A closure that returns the ids of the threads that this program shows.
  ///   - report: A closure that is called with the error of a failed deletion.
  /// - Throws: `CancellationError`.
  public func follow(
    keeping shown: @Sendable () async -> [String], report: @Sendable (any Error) -> Void
  ) async throws {
    try await clock.sleep(Self.firstPause)
    while true {
      do {
        _ = try await runIfDue(keeping: shown)
      } catch {
        try Task.checkCancellation()
        report(error)
      }
      try await clock.sleep(.seconds(Self.sizeSpacing))
    }
  }

  private func isDue(_ policy: Policy) -> Bool {
    if policy.days == nil, policy.megabytes == nil { return false }
    guard let record = store.deletionRecord else { return true }
    let age = clock.now().timeIntervalSince(record.checkedAt)
    // A date in the future comes from a wrong clock.
    if age < 0 || age >= Self.spacing { return true }
    guard let limit = policy.sizeLimit, age >= Self.sizeSpacing else { return false }
    let bytes = store.statistics.stores.compactMap(\.byteCount).first ?? 0
    return bytes > limit
  }

  private func note(_ report: PruningReport) throws {
    let now = clock.now()
    var record = store.deletionRecord ?? Record(checkedAt: now)
    record.checkedAt = now
    if report.deletedCount > 0 {
      record.deletedAt = now
      record.threadCount = report.deletedCounts["Thread"] ?? 0
      record.postCount = report.deletedCounts["Post"] ?? 0
    }
    try store.note(record)
  }
}
