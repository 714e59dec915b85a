internal import OpenObjectModel
internal import OpenStoreContract

/// Counts what a context does, for its statistics, for swift-metrics and for reports of repeated faults.
///
/// Owned by its context.
///
/// > Concurrency: Confined to the context's queue.
struct ContextCounters {
  /// What was counted since the context was made or its statistics were reset.
  var counts = ContextStatistics()
  /// What of it swift-metrics knows.
  private var reported = ContextStatistics()
  /// Reads of single objects; nil while no observer wants them.
  private(set) var singleReads: RepeatedFaultLog?

  /// Begins at zero again; what swift-metrics was told stays.
  mutating func reset() {
    report()
    counts = ContextStatistics()
    reported = counts
  }

  /// Hands on what was counted since the last time.
  mutating func report() {
    ContextMetrics.shared.report(counts, since: reported)
    reported = counts
  }

  /// Counts a request that was executed.
  @inline(__always)
  mutating func countFetch(rows: Int) {
    counts.fetches &+= 1
    counts.fetchedRows &+= rows
    report()
  }

  /// Counts a read for faults or a relationship.
  mutating func countFaultRead(rows: Int) {
    counts.faultReads &+= 1
    counts.faultRows &+= rows
    report()
  }

  /// Counts a save that succeeded.
  mutating func countSave(of changes: SaveSet) {
    counts.saves &+= 1
    counts.insertedObjects &+= changes.inserted.count
    counts.updatedObjects &+= changes.updated.count
    counts.deletedObjects &+= changes.deleted.count
    report()
  }

  /// The log of reads of single objects, made for the first one.
  mutating func makeSingleReads() -> RepeatedFaultLog {
    let log = singleReads ?? RepeatedFaultLog()
    singleReads = log
    return log
  }
}

extension NSManagedObjectContext {
  final var counts: ContextStatistics {
    @inline(__always) _read { yield counters.counts }
    @inline(__always) _modify { yield &counters.counts }
  }

  @inline(__always)
  final func countFetch(rows: Int) { counters.countFetch(rows: rows) }

  final func countFaultRead(rows: Int) { counters.countFaultRead(rows: rows) }

  final func countSave(of changes: SaveSet) { counters.countSave(of: changes) }
}
