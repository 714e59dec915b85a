internal import OpenObjectModel
internal import Synchronization

/// A request to stop reading, which one or more fetch plans share.
///
/// Other reads of the same store or connection continue, and writes are never stopped.
///
/// > Concurrency: Usable on any thread.
public final class ReadInterruption: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Creates an interruption that does not stop reads yet.
  public init() {}

  /// Makes all fetches with this interruption throw a `StoreError` with code `.interrupted`.
  ///
  /// The method returns immediately. An interruption cannot be undone.
  public func interrupt() { flag.store(true, ordering: .relaxed) }

  /// Whether reads must stop.
  public var isInterrupted: Bool { flag.load(ordering: .relaxed) }
}

extension FetchPlan {
  /// Throws if reading must stop; stores call this method between rows.
  ///
  /// - Throws: `StoreError` with code `.interrupted`.
  public func throwIfInterrupted() throws(StoreError) {
    guard interruption?.isInterrupted == true else { return }
    throw StoreError(.interrupted, "The fetch was cancelled.", entityName: shape.entity.name)
  }
}
