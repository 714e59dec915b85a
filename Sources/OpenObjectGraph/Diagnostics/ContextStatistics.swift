/// The numbers of a context's fetches, fired faults, saves and other operations.
///
/// The library also reports the counts of all contexts to swift-metrics; see `Docs/Diagnostics.md`.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct ContextStatistics: Sendable, Hashable {
  /// The number of executed fetch requests, including requests for a count.
  public internal(set) var fetches = 0
  /// The number of results that fetches have returned: objects, ids, dictionaries and values.
  public internal(set) var fetchedRows = 0
  /// The number of fetched rows whose object was already registered in the context.
  public internal(set) var identityMapHits = 0
  /// The number of faults that fired, including faults whose row was already in memory.
  public internal(set) var faultsFired = 0
  /// The number of fired faults whose row was in the row cache or in the parent context, so that no
  /// store was read.
  public internal(set) var rowCacheHits = 0
  /// The number of times that the context read a store, or its parent context, to fire faults or to
  /// load relationships.
  public internal(set) var faultReads = 0
  /// The number of rows and relationship members that the reads in ``faultReads`` returned.
  public internal(set) var faultRows = 0
  /// The number of successful saves, and of failed saves that wrote to at least one store.
  public internal(set) var saves = 0
  /// The number of objects inserted by saves.
  public internal(set) var insertedObjects = 0
  /// The number of objects updated by saves.
  public internal(set) var updatedObjects = 0
  /// The number of objects deleted by saves.
  public internal(set) var deletedObjects = 0

  init() {}
}
