public import Foundation
internal import OpenStoreContract
internal import Synchronization

/// What `execute(_:)` returns for a request that continues after the call.
///
/// Owned by the caller that executed the request, and by the request's work until it ends.
///
/// > Concurrency: ``cancel()`` may be called on any thread. What the request found is set and read on the
/// > context's queue.
/// > Reference: Apple, NSPersistentStoreAsynchronousResult.
// Invariant of the unchecked conformance: stored variables are used on the context's queue only, the state is
// behind its lock, and everything else is immutable.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  private enum State {
    case running
    case cancelled
    case finished
  }

  /// The context that executed the request.
  public let managedObjectContext: NSManagedObjectContext
  /// Why there is no result; nil while the request runs, and after success.
  ///
  /// > Concurrency: On the context's queue.
  public private(set) var operationError: (any Error)?
  /// The progress of the request; nil unless there was a current `Progress` when it was executed.
  ///
  /// Cancelling it cancels the request.
  public let progress: Progress?
  private let state = Mutex(State.running)
  /// Ends what a store reads for the request.
  let interruption = ReadInterruption()

  init(context: NSManagedObjectContext, progress: Progress?) {
    managedObjectContext = context
    self.progress = progress
    super.init()
    progress?.cancellationHandler = { [weak self] in self?.cancel() }
  }

  /// Ends the request without a result, unless it has already ended.
  ///
  /// ``operationError`` becomes `CocoaError` with code `.userCancelled`, and the completion block runs. The store
  /// interrupts the statement of this request.
  ///
  /// > Concurrency: Any thread; returns immediately.
  open func cancel() {
    guard moves(to: .cancelled) else { return }
    interruption.interrupt()
    managedObjectContext.perform { [self] in
      operationError = CocoaError.make(.userCancelled, "The fetch was cancelled.")
      runCompletionBlock()
    }
  }

  /// Whether there is no use in going on.
  ///
  /// > Concurrency: Any thread.
  final var isCancelled: Bool {
    // The progress knows at once, its handler runs later.
    progress?.isCancelled == true || state.withLock { $0 == .cancelled }
  }

  /// Ends the request with an error, unless it was cancelled.
  ///
  /// > Concurrency: On the context's queue.
  final func fail(with error: any Error) {
    guard moves(to: .finished) else { return }
    operationError = error
    runCompletionBlock()
  }

  /// Ends the request with success, unless it was cancelled.
  ///
  /// > Concurrency: On the context's queue.
  final func succeed(adopting result: () -> Void) {
    if isCancelled { return cancel() }
    guard moves(to: .finished) else { return }
    result()
    runCompletionBlock()
  }

  private func moves(to next: State) -> Bool {
    state.withLock { state in
      guard state == .running else { return false }
      state = next
      return true
    }
  }

  /// Notifies waiting callers that the request has ended; for subclasses.
  func runCompletionBlock() {}
}
