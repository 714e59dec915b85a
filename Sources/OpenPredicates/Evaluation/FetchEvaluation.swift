import Synchronization

/// How `FETCH(request, context, countOnly)` is executed, as the object graph supplies it.
///
/// Shared: its state is in one `Mutex`. This module knows neither requests nor contexts.
package enum FetchEvaluation {
  /// Runs a request in a context; nil when they are not what they should be or the fetch fails.
  package typealias Runner =
    @Sendable (_ request: Any?, _ context: Any?, _ countOnly: Bool) -> Any?

  private static let runner = Mutex<Runner?>(nil)

  /// Sets who executes fetches; the last one counts.
  ///
  /// - Parameter run: Runs a request in a context.
  /// > Concurrency: Any thread; `run` is called on the thread of the evaluation, without a lock.
  package static func run(with run: @escaping Runner) {
    runner.withLock { $0 = run }
  }

  static func result(_ request: Any?, _ context: Any?, countOnly: Bool) -> Any? {
    let run = runner.withLock { $0 }
    return run?(request, context, countOnly)
  }
}
