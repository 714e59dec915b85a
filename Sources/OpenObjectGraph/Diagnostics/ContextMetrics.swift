internal import CoreMetrics

/// The swift-metrics counters for all contexts of the process.
///
/// Each context has its own counts, and reports new counts when it fetches, saves or reads rows for
/// faults. Access to a property therefore does not increment a swift-metrics counter.
struct ContextMetrics: Sendable {
  /// The counters, which are created at the first report.
  ///
  /// A program that collects metrics must set up its metrics system earlier.
  static let shared = ContextMetrics()

  private let fetches = Counter(label: "opencoredata.fetches")
  private let fetchedRows = Counter(label: "opencoredata.fetched_rows")
  private let identityMapHits = Counter(label: "opencoredata.identity_map_hits")
  private let faultsFired = Counter(label: "opencoredata.faults_fired")
  private let rowCacheHits = Counter(label: "opencoredata.row_cache_hits")
  private let faultReads = Counter(label: "opencoredata.fault_reads")
  private let faultRows = Counter(label: "opencoredata.fault_rows")
  private let saves = Counter(label: "opencoredata.saves")
  private let insertedObjects = Counter(label: "opencoredata.inserted_objects")
  private let updatedObjects = Counter(label: "opencoredata.updated_objects")
  private let deletedObjects = Counter(label: "opencoredata.deleted_objects")

  /// Adds the difference between two counts of a context.
  func report(_ new: ContextStatistics, since old: ContextStatistics) {
    add(new.fetches &- old.fetches, to: fetches)
    add(new.fetchedRows &- old.fetchedRows, to: fetchedRows)
    add(new.identityMapHits &- old.identityMapHits, to: identityMapHits)
    add(new.faultsFired &- old.faultsFired, to: faultsFired)
    add(new.rowCacheHits &- old.rowCacheHits, to: rowCacheHits)
    add(new.faultReads &- old.faultReads, to: faultReads)
    add(new.faultRows &- old.faultRows, to: faultRows)
    add(new.saves &- old.saves, to: saves)
    add(new.insertedObjects &- old.insertedObjects, to: insertedObjects)
    add(new.updatedObjects &- old.updatedObjects, to: updatedObjects)
    add(new.deletedObjects &- old.deletedObjects, to: deletedObjects)
  }

  @inline(__always)
  private func add(_ count: Int, to counter: Counter) {
    if count != 0 { counter.increment(by: count) }
  }
}
