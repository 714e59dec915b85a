/// The activity of a context since it was created or its statistics were reset.
///
/// A value; an addition to Apple's API. The same numbers of all contexts are reported to swift-metrics: see `Docs/Diagnostics.md`.
public struct ContextStatistics: Sendable, Hashable {
  /// Executed requests, including counts and lazy fetches.
  public internal(set) var fetches = 0
  /// Objects, ids and dictionaries that fetches returned.
  public internal(set) var fetchedRows = 0
  /// Fetched rows whose object was already registered in the context.
  public internal(set) var identityMapHits = 0
  /// Fired faults.
  public internal(set) var faultsFired = 0
  /// Faults whose row was in the row cache or in the parent context.
  public internal(set) var rowCacheHits = 0
  /// Reads of a store, or of the parent's store, for faults and for relationships that were not loaded.
  public internal(set) var faultReads = 0
  /// Rows and members that these reads returned.
  public internal(set) var faultRows = 0
  /// Saves that succeeded.
  public internal(set) var saves = 0
  /// Objects that saves inserted.
  public internal(set) var insertedObjects = 0
  /// Objects that saves updated.
  public internal(set) var updatedObjects = 0
  /// Objects that saves deleted.
  public internal(set) var deletedObjects = 0

  init() {}
}

extension NSManagedObjectContext {
  /// The context's activity so far: fetches, faults, cache hits, saves.
  ///
  /// ```swift
  /// context.resetStatistics()
  /// try showPage()
  /// assert(context.statistics.faultReads == 0)
  /// ```
  ///
  /// > Concurrency: On the context's queue.
  /// > Reference: An addition to Apple's API.
  public var statistics: ContextStatistics { counters.counts }

  /// Resets the statistics to zero; counters of swift-metrics are not reset.
  ///
  /// > Concurrency: On the context's queue.
  /// > Reference: An addition to Apple's API.
  public func resetStatistics() { counters.reset() }
}
