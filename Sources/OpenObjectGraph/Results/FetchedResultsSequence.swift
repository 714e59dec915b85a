/// An asynchronous sequence of snapshots of fetched results: the current content, and a snapshot after each change.
///
/// Created by ``NSManagedObjectContext/snapshots(of:sectionNameKeyPath:)`` or by a controller's
/// ``NSFetchedResultsController/snapshots``:
///
/// ```swift
/// for try await snapshot in context.snapshots(of: request) { show(snapshot.itemIdentifiers) }
/// ```
///
/// The first snapshot is the current content. A slow task receives the newest snapshot, which reports all changes
/// since the one that it took before. The sequence ends when its task is cancelled.
///
/// An addition to Apple's API.
///
/// > Concurrency: May be created and iterated in any task; only one task may use an iterator.
public struct FetchedResultsSequence: AsyncSequence, Sendable {
  /// The type of the errors of an iteration: those of the fetch.
  public typealias Failure = any Error
  /// The content at one moment.
  public typealias Element = FetchedResultsSnapshot

  private let source: ResultsSource

  init(_ source: ResultsSource) { self.source = source }

  /// Begins an iteration.
  ///
  /// - Returns: The iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(source) }

  /// One iteration.
  ///
  /// > Concurrency: Used by one task.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let source: ResultsSource
    private var subscription: SnapshotSubscription?

    fileprivate init(_ source: ResultsSource) { self.source = source }

    /// The next snapshot; nil when the task was cancelled.
    ///
    /// - Returns: The next element; nil at the end of the sequence.
    /// - Throws: The error of the first fetch.
    public mutating func next() async throws -> FetchedResultsSnapshot? {
      if subscription == nil { subscription = try await source.subscribe() }
      return await subscription?.box.next()
    }
  }
}

/// Where snapshots come from: a controller's tracker, or a request to make one of.
// Invariant of the unchecked conformance: immutable, and what it holds is used on the context's queue only.
struct ResultsSource: @unchecked Sendable {
  let context: NSManagedObjectContext
  /// Creates the tracker, or gives the one that there is.
  let tracker: () throws -> ResultsTracker

  func subscribe() async throws -> SnapshotSubscription {
    try await context.perform { try SnapshotSubscription(tracker()) }
  }
}

/// A mailbox that a tracker fills as long as this lives.
// Invariant of the unchecked conformance: immutable; the tracker is only kept, and its listeners are safe to share.
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
  /// The content of a request's results, initially and after each change.
  ///
  /// An addition to Apple's API.
  ///
  /// - Parameters:
  ///   - request: A request for objects with sort descriptors; copied.
  ///   - sectionNameKeyPath: The key path of the sections; the first sort descriptor must group by it.
  /// - Returns: The sequence; nothing is fetched until it is iterated.
  /// > Concurrency: Any thread; fetching and updating run on the context's queue.
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
