internal import OpenObjectModel
internal import OpenPredicates

extension NSManagedObjectContext {
  // MARK: Statistics

  /// The counts of the context's activity since the context was created or ``resetStatistics()``
  /// was last called.
  ///
  /// ```swift
  /// context.resetStatistics()
  /// try showPage()
  /// assert(context.statistics.faultReads == 0)
  /// ```
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Call on the context's queue.
  public var statistics: ContextStatistics { counters.counts }

  /// Resets the context's statistics to zero.
  ///
  /// The method does not reset the counters in swift-metrics.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Call on the context's queue.
  public func resetStatistics() { counters.reset() }

  // MARK: Reports

  /// Whether contexts log a report when many faults or relationships are read one at a time.
  ///
  /// A context counts the statements that read the row of a single fault, and the statements that
  /// read a relationship for a single object. When one block of `perform` or `performAndWait` has
  /// executed ten such statements for the same entity or relationship, the context logs a report.
  /// The context logs another report after a hundred statements, a thousand, and so on. All work
  /// between two blocks counts as one block. The launch argument `-OpenCoreData.FaultDebug 1` sets
  /// this property to true; the default is false.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Usable on any thread; applies to all contexts of the process.
  public static var reportsRepeatedFaults: Bool {
    get { RepeatedFaultCheck.isOn }
    set { RepeatedFaultCheck.isOn = newValue }
  }

  /// The reports of repeated faults in this context, in descending order of
  /// ``RepeatedFaults/count``.
  ///
  /// For each entity and each relationship, the array contains only the report of the `perform` or
  /// `performAndWait` block with the highest count. The array is empty if
  /// ``reportsRepeatedFaults`` was never true.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Call on the context's queue.
  public var repeatedFaults: [RepeatedFaults] { counters.singleReads?.reports ?? [] }

  /// Whether a context's next save throws `ObjectError` if the context or its objects were used off
  /// the context's queue.
  ///
  /// The check runs when a context fetches, saves, inserts or deletes, and when a fault fires. The
  /// check also runs when an object is changed for the first time after the context posted a change
  /// notification. The launch argument `-com.apple.CoreData.ConcurrencyDebug 1` sets this property
  /// to true. If neither the launch argument nor the property is set, debug builds log the first
  /// violation of each context, and release builds do not check. Setting the property to false
  /// turns the check off.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Usable on any thread; applies to all contexts of the process.
  public static var reportsConcurrencyViolations: Bool {
    get { QueueCheck.level == .error }
    set { QueueCheck.level = newValue ? .error : .nothing }
  }

  /// Whether it is an error to use a property that the context would have to read from a store;
  /// false by default.
  ///
  /// If true, the context does not read a store when the program uses a property of a fault, or a
  /// relationship that is not loaded. Instead, the property has no value, the context logs the
  /// error, and the next save throws a ``StrictLoadingError``. `checkedValue(forKey:)` throws the
  /// error immediately. Fetches, prefetching, `existingObject(with:)`, saves, deletions and merges
  /// still read the store. Faults whose rows are already in memory still fire.
  ///
  /// This is an addition to Apple's API.
  ///
  /// > Concurrency: Call on the context's queue.
  public var strictLoading: Bool {
    get { loading.isStrict }
    set { loading.isStrict = newValue }
  }

  // MARK: Descriptions and measures

  /// The text of ``description``.
  var debugText: String {
    DebugText.text(of: self, ["name": name, "queue": concurrencyType.debugText])
  }

  /// The number of loaded to-many relationships that merges and rollbacks have examined: a measure
  /// of the cost of merges and rollbacks.
  package var visitedListCount: Int { registry.loadedLists.visitCount }

  /// The number of temporary keys for which a child context remembers the permanent key and the
  /// store: a measure of the memory that the parent's saves require in the child.
  package var renameCount: Int { registry.renameCount }
}
