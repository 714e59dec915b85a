internal import OpenObjectModel
internal import OpenStoreContract

/// Counts the activity of a context, for its statistics, for swift-metrics and for reports of
/// repeated faults.
///
/// Owned by its context.
///
/// > Concurrency: Confined to the context's queue.
struct ContextCounters {
  /// The counts since the context was created or its statistics were reset.
  var counts = ContextStatistics()
  /// The counts that were already reported to swift-metrics.
  private var reported = ContextStatistics()
  /// The reads of single objects; nil before the first recorded read.
  private(set) var singleReads: RepeatedFaultLog?

  /// Resets the counts to zero, after reporting them to swift-metrics.
  mutating func reset() {
    report()
    counts = ContextStatistics()
    reported = counts
  }

  /// Reports the counts since the last report to swift-metrics.
  mutating func report() {
    ContextMetrics.shared.report(counts, since: reported)
    reported = counts
  }

  /// Counts an executed request.
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

  /// Counts a save that has written at least one store.
  mutating func countSave(of changes: SaveSet) {
    counts.saves &+= 1
    counts.insertedObjects &+= changes.inserted.count
    counts.updatedObjects &+= changes.updated.count
    counts.deletedObjects &+= changes.deleted.count
    report()
  }

  /// Returns the log of reads of single objects, which is created on first use.
  mutating func makeSingleReads() -> RepeatedFaultLog {
    let log = singleReads ?? RepeatedFaultLog()
    singleReads = log
    return log
  }
}
