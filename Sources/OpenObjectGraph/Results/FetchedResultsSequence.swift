/// An asynchronous sequence of snapshots of fetched results.
///
/// Create a sequence with ``NSManagedObjectContext/snapshots(of:sectionNameKeyPath:)``, or use a
/// controller's ``NSFetchedResultsController/snapshots``:
///
/// ```swift
/// for try await snapshot in context.snapshots(of: request) { show(snapshot.itemIdentifiers) }
/// ```
///
/// The first snapshot contains the current results. After each change, another snapshot follows. If
/// several changes occur before a task requests the next snapshot, the task receives only the
/// newest snapshot, which reports all of these changes. The sequence ends when its task is
/// canceled.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable in any task. Use each iterator in one task only.
public struct FetchedResultsSequence: AsyncSequence, Sendable {
  /// The type of the errors that an iteration throws if its first fetch fails.
  public typealias Failure = any Error
  /// A snapshot of the fetched results at one moment.
  public typealias Element = FetchedResultsSnapshot

  private let source: ResultsSource

  init(_ source: ResultsSource) { self.source = source }

  /// Returns an iterator over the snapshots.
  public func makeAsyncIterator() -> Iterator { Iterator(source) }

  /// An iterator over the snapshots of fetched results.
  ///
  /// > Concurrency: Use an iterator in one task only.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let source: ResultsSource
    private var subscription: SnapshotSubscription?

    fileprivate init(_ source: ResultsSource) { self.source = source }

    /// Waits for the next snapshot.
    ///
    /// - Returns: The next snapshot, or nil if the task was canceled.
    /// - Throws: For a sequence created from a request, the errors of
    ///   ``NSFetchedResultsController/performFetch()`` if the first fetch fails. After a successful
    ///   first call, the method does not throw.
    public mutating func next() async throws -> FetchedResultsSnapshot? {
      if subscription == nil { subscription = try await source.subscribe() }
      return await subscription?.box.next()
    }
  }
}

/// The source of snapshots: a controller's tracker, or a request for which a tracker is created.
// Invariant of the unchecked conformance: immutable, and what it holds is used on the context's
// queue only.
struct ResultsSource: @unchecked Sendable {
  let context: NSManagedObjectContext
  /// A closure that returns the existing tracker or creates one.
  let tracker: () throws -> ResultsTracker

  func subscribe() async throws -> SnapshotSubscription {
    try await context.perform { try SnapshotSubscription(tracker()) }
  }
}

/// A subscription to the snapshots of a tracker, which ends when the subscription is deallocated.
// Invariant of the unchecked conformance: immutable; the tracker is only kept, and its listeners
// are safe to share.
final class SnapshotSubscription: @unchecked Sendable {
  let box = Mailbox<FetchedResultsSnapshot> { $1.following($0) }
  private let tracker: ResultsTracker

  init(_ tracker: ResultsTracker) {
    self.tracker = tracker
    tracker.listeners.add(box)
    tracker.beginTracking()
    if tracker.sections != nil { box.offer(tracker.snapshot()) }
  }

  deinit { tracker.listeners.remove(box) }
}

extension NSManagedObjectContext {
  /// Returns a sequence of snapshots of a request's results: the current content, then the content
  /// after each change.
  ///
  /// Nothing is fetched until the sequence is iterated. After a reset of the context, the sequence
  /// fetches again, and yields the new content.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: A request that fetches managed objects and has sort descriptors. The method
  ///     copies the request.
  ///   - sectionNameKeyPath: The key path of the section names, or nil for no sections. The first
  ///     sort descriptor must group the objects by this key path.
  /// - Returns: The sequence. If its first fetch fails, an iteration throws the error of
  ///   ``NSFetchedResultsController/performFetch()``.
  /// > Concurrency: Callable from any thread. Fetches and updates run on the context's queue.
  public func snapshots<Result>(
    of request: NSFetchRequest<Result>, sectionNameKeyPath: String? = nil
  ) -> FetchedResultsSequence {
    let request = NSFetchRequest<NSManagedObject>(copying: request)
    return FetchedResultsSequence(
      ResultsSource(context: self) { [self] in
        let tracker = ResultsTracker(
          context: self, sectionNameKeyPath: sectionNameKeyPath,
          makeRequest: { NSFetchRequest<NSManagedObject>(copying: request) })
        try tracker.performFetch()
        return tracker
      })
  }
}
