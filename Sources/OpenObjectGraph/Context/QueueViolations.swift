internal import Foundation
internal import Synchronization

/// The uses of a context off its queue, which the context's next save throws.
///
/// Owned by its context.
///
/// > Concurrency: Any thread.
struct QueueViolations: ~Copyable {
  private static let limit = 100
  private let errors = Mutex<[ObjectError]>([])

  /// Notes a use of the context by the calling thread.
  ///
  /// Only the first violation is logged, unless saves throw violations.
  @inline(never)
  func note(_ action: StaticString, in context: NSManagedObjectContext) {
    let error = ObjectError(
      "Concurrency violation: \(action) outside the queue of the context "
        + "\(context.name ?? "without a name"), on the thread "
        + "\(Thread.current.name ?? "without a name"). Use perform or performAndWait.")
    let isFirst = errors.withLock { errors in
      if errors.count < Self.limit { errors.append(error) }
      return errors.count == 1
    }
    if isFirst || QueueCheck.level == .error { GraphLog.error("\(error)") }
  }

  /// Throws the first violation since the last save, if violations are reported as errors.
  func throwFirst() throws {
    guard QueueCheck.isOn else { return }
    let first = errors.withLock { errors in
      guard QueueCheck.level == .error else { return ObjectError?.none }
      defer { errors.removeAll() }
      return errors.first
    }
    if let first { throw first }
  }
}
