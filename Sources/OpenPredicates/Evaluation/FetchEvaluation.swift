import Synchronization

/// Executes `FETCH(request, context, countOnly)` through a function that the object graph provides.
///
/// A `Mutex` protects the function. This module has no fetch requests or contexts.
package enum FetchEvaluation {
  /// A function that executes a request in a context; the function returns nil for invalid operands
  /// or a failed fetch.
  package typealias Runner =
    @Sendable (_ request: Any?, _ context: Any?, _ countOnly: Bool) -> Any?

  private static let runner = Mutex<Runner?>(nil)

  /// Sets the function that executes fetches, replacing any earlier function.
  ///
  /// - Parameter run: Executes a request in a context.
  /// > Concurrency: Usable on any thread. `run` is called on the thread of the evaluation, without
  /// > a lock.
  package static func run(with run: @escaping Runner) {
    runner.withLock { $0 = run }
  }

  static func result(_ request: Any?, _ context: Any?, countOnly: Bool) -> Any? {
    let run = runner.withLock { $0 }
    return run?(request, context, countOnly)
  }
}
