public import Foundation
internal import OpenStoreContract
internal import Synchronization

/// The result of a request that continues after `execute(_:)` has returned.
///
/// The object stays alive until the request has ended, even if the caller does not retain it.
///
/// > Concurrency: Any thread may call ``cancel()``. The result and the error are set and read on
/// > the context's queue.
/// > Reference: Apple, NSPersistentStoreAsynchronousResult.
// Invariant of the unchecked conformance: stored variables are used only on the context's queue, a
// lock protects the state, and all other fields are immutable.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  private enum State {
    case running
    case cancelled
    case finished
  }

  /// The context that executed the request.
  public let managedObjectContext: NSManagedObjectContext
  /// The error that ended the request; nil while the request runs, and after success.
  ///
  /// > Concurrency: Read on the context's queue.
  public private(set) var operationError: (any Error)?
  /// The progress of the request; nil if no `Progress` was current when `execute(_:)` was called.
  ///
  /// Canceling the progress cancels the request.
  public let progress: Progress?
  private let state = Mutex(State.running)
  /// Interrupts the statements that stores execute for the request.
  let interruption = ReadInterruption()

  init(context: NSManagedObjectContext, progress: Progress?) {
    managedObjectContext = context
    self.progress = progress
    super.init()
    progress?.cancellationHandler = { [weak self] in self?.cancel() }
  }

  /// Ends the request without a result, unless the request has already ended.
  ///
  /// ``operationError`` becomes `CocoaError` 3072 (`.userCancelled`), and the completion block runs
  /// on the context's queue. The store interrupts the request's statement.
  ///
  /// > Concurrency: Callable from any thread; returns immediately.
  open func cancel() {
    guard moves(to: .cancelled) else { return }
    interruption.interrupt()
    managedObjectContext.perform { [self] in
      operationError = CocoaError.make(.userCancelled, "The fetch was canceled.")
      runCompletionBlock()
    }
  }

  /// Whether the request or its progress was canceled.
  ///
  /// > Concurrency: Any thread.
  final var isCancelled: Bool {
    // A canceled progress calls its handler later.
    progress?.isCancelled == true || state.withLock { $0 == .cancelled }
  }

  /// Ends the request with an error, unless the request has already ended.
  ///
  /// > Concurrency: Call on the context's queue.
  final func fail(with error: any Error) {
    guard moves(to: .finished) else { return }
    operationError = error
    runCompletionBlock()
  }

  /// Ends the request with success, unless the request was canceled.
  ///
  /// - Parameter result: Stores the result.
  /// > Concurrency: Call on the context's queue.
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

  /// Calls the completion block; subclasses override this method.
  func runCompletionBlock() {}
}
