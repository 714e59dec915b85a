internal import OpenObjectModel
internal import Synchronization

/// A request to stop the reads of one or several fetch plans.
///
/// Other reads of the same store or connection continue, and an interruption never stops writes.
///
/// > Concurrency: Usable on any thread.
public final class ReadInterruption: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Creates an interruption that stops reads only after ``interrupt()`` is called.
  public init() {}

  /// Makes all fetches with this interruption throw a `StoreError` with code `.interrupted`.
  ///
  /// The method returns immediately. An interruption cannot be undone.
  public func interrupt() { flag.store(true, ordering: .relaxed) }

  /// Whether ``interrupt()`` was called. If the value is `true`, reads must stop.
  public var isInterrupted: Bool { flag.load(ordering: .relaxed) }
}

extension FetchPlan {
  /// Throws an error if the read must stop; stores call this method between rows.
  ///
  /// - Throws: `StoreError` with code `.interrupted` if ``ReadInterruption/interrupt()``
  ///   was called for the plan's interruption.
  public func throwIfInterrupted() throws(StoreError) {
    guard interruption?.isInterrupted == true else { return }
    throw StoreError(.interrupted, "The fetch was canceled.", entityName: shape.entity.name)
  }
}
