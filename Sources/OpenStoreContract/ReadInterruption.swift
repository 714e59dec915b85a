internal import OpenObjectModel
internal import Synchronization

/// Ends the reading of the plans that contain it.
///
/// It affects only those plans, not other reads of the same store or connection, and no writes.
///
/// > Concurrency: Usable on any thread.
public final class ReadInterruption: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Creates an interruption that has not ended the reading.
  public init() {}

  /// Ends the reading with `StoreError.Code.interrupted`; returns immediately, and cannot be undone.
  public func interrupt() { flag.store(true, ordering: .relaxed) }

  /// Whether the reading must end.
  public var isInterrupted: Bool { flag.load(ordering: .relaxed) }
}

extension FetchPlan {
  /// Throws if reading must stop; stores call it between rows.
  ///
  /// - Throws: `StoreError` with code `.interrupted`.
  public func throwIfInterrupted() throws(StoreError) {
    guard interruption?.isInterrupted == true else { return }
    throw StoreError(.interrupted, "The fetch was cancelled.", entityName: shape.entity.name)
  }
}
