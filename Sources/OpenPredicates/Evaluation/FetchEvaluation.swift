import Synchronization

/// Executes `FETCH(request, context, countOnly)` through a function that the object graph provides.
///
/// A `Mutex` protects the function. This module has no fetch requests or contexts.
package enum FetchEvaluation {
  /// The values that the expression returns if the results of the fetch are dictionaries.
  package enum Form: Sendable {
    /// The only value of each dictionary, for comparisons.
    case values
    /// The dictionaries themselves, for subqueries and for the remaining steps of a key path.
    case results
  }

  /// A fetch request, and the context that executes it.
  package struct Call {
    package var request: Any?
    /// The context that executes the fetch, or an object whose context executes the fetch; nil if
    /// there is neither.
    package var context: Any?
    /// Whether the call returns the number of fetched results instead of the results.
    package var countOnly: Bool
    package var form: Form
    /// Whether the caller of the evaluation receives the error of a failed fetch. If false, the
    /// expression evaluates to nil when the fetch fails.
    package var reportsErrors = false
  }

  /// A function that executes a request in a context. The function returns nil if there is no
  /// context, and throws the error of a failed fetch.
  package typealias Runner = @Sendable (_ call: Call) throws -> Any?

  private static let runner = Mutex<Runner?>(nil)

  /// Sets the function that executes fetches, replacing any earlier function.
  ///
  /// - Parameter run: The function that executes a request in a context.
  /// > Concurrency: Usable on any thread. `run` is called on the thread of the evaluation, without
  /// > a lock.
  package static func run(with run: @escaping Runner) {
    runner.withLock { $0 = run }
  }

  /// Returns the result of a fetch; nil if the fetch fails.
  static func result(_ call: Call, _ failures: EvaluationFailures?) -> Any? {
    let run = runner.withLock { $0 }
    var call = call
    call.reportsErrors = failures != nil
    do {
      return try run?(call)
    } catch {
      failures?.add(.failedFetch(error))
      return nil
    }
  }
}

extension ExpressionNode {
  /// Whether the expression is a fetch, or selects one result of a fetch by index, `FIRST` or
  /// `LAST`.
  package var selectsFetchResults: Bool {
    switch self {
    case .fetch: true
    case .index(let base, _), .first(let base), .last(let base): base.selectsFetchResults
    default: false
    }
  }
}
