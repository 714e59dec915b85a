internal import OpenObjectModel
internal import Synchronization

/// Lets anybody end the reading of the plans that carry it.
///
/// Only those plans are concerned: not other reads of the same store or connection, and no write.
///
/// > Concurrency: Usable on any thread.
public final class ReadInterruption: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Makes one that lets the reading go on.
  public init() {}

  /// Makes the reading end with `StoreError.Code.interrupted`; returns at once, and cannot be taken back.
  public func interrupt() { flag.store(true, ordering: .relaxed) }

  /// Whether the reading is to end.
  public var isInterrupted: Bool { flag.load(ordering: .relaxed) }
}

extension FetchPlan {
  /// Ends the reading of a plan that is not wanted any more; for stores to call between rows.
  ///
  /// - Throws: `StoreError` with code `.interrupted`.
  public func throwIfInterrupted() throws(StoreError) {
    guard interruption?.isInterrupted == true else { return }
    throw StoreError(.interrupted, "The fetch was cancelled.", entityName: shape.entity.name)
  }
}
