internal import Foundation

/// The deferred errors of calls that cannot throw; a later save throws them.
///
/// A misuse changes nothing, so only one save throws it. After a failed read, the application may
/// have used an empty value instead of the stored value, so every save throws the error until the
/// application refreshes the object, or rolls back or resets the context.
///
/// Owned by its context. The class does not retain the context.
///
/// > Concurrency: Confined to the context's queue.
final class DeferredErrors {
  @exclusivity(unchecked) private var misuseErrors: [any Error] = []
  @exclusivity(unchecked) private var failedReads: [ObjectIdentifier: FailedRead] = [:]
  /// The total number of failed reads of all objects.
  @exclusivity(unchecked) private var failedReadCount = 0
  /// The error of the last failed read.
  @exclusivity(unchecked) private var lastFailure: (any Error)?

  private struct FailedRead {
    /// The object, which is retained so that the error still refers to it.
    let object: NSManagedObject
    let error: any Error
    let number: Int
  }

  /// Whether there is nothing to throw.
  var isEmpty: Bool { misuseErrors.isEmpty && failedReads.isEmpty }

  /// Notes and logs a misuse. The class keeps only the first hundred misuse errors.
  func note(_ misuse: any Error) {
    GraphLog.error("\(misuse)")
    if misuseErrors.count < 100 { misuseErrors.append(misuse) }
  }

  /// Logs a misuse of the context in a call that cannot throw, and makes the next save throw the
  /// error.
  ///
  /// - Parameters:
  ///   - message: A description of the problem and the remedy.
  ///   - object: The object in the call, which may belong to any context.
  func note(_ message: String, of object: NSManagedObject) { note(object.misuse(message, nil)) }

  /// Notes that values of an object could not be read; only the first error of each object is kept.
  func noteFailedRead(of object: NSManagedObject, _ error: any Error) {
    failedReadCount += 1
    lastFailure = error
    guard failedReads[ObjectIdentifier(object)] == nil else { return }
    failedReads[ObjectIdentifier(object)] = FailedRead(
      object: object, error: error, number: failedReadCount)
  }

  /// Forgets the failed reads of an object that the application refreshes.
  func forgetFailedReads(of object: NSManagedObject) {
    if !failedReads.isEmpty { failedReads[ObjectIdentifier(object)] = nil }
  }

  /// Runs work that uses properties of objects, and throws if a read failed during the work.
  ///
  /// - Returns: The result of the work.
  /// - Throws: Any error that `work` throws, or the error of the first read that failed.
  func throwingFailedReads<Result>(_ work: () throws -> Result) throws -> Result {
    let count = failedReadCount
    let result = try work()
    if let error = failure(after: count) {
      forgetFailedReads(after: count)
      throw error
    }
    return result
  }

  /// Returns the error of the first failed read after the first `count`; nil if there is none.
  private func failure(after count: Int) -> (any Error)? {
    guard failedReadCount > count else { return nil }
    // A later failed read of the same object is a consequence of the first.
    let first = failedReads.values.filter { $0.number > count }.min { $0.number < $1.number }
    return first?.error ?? lastFailure
  }

  /// Forgets the failed reads after the first `count`, because their error is thrown immediately.
  private func forgetFailedReads(after count: Int) {
    failedReads = failedReads.filter { $0.value.number <= count }
  }

  func removeAll() {
    misuseErrors.removeAll()
    failedReads.removeAll()
  }

  /// Throws the error of the first misuse, and removes all recorded misuse. If there is no misuse,
  /// throws the error of the first failed read.
  ///
  /// - Throws: The error of the misuse, or a `CocoaError` for the failed read. The user info of the
  ///   `CocoaError` contains the objects that could not be read under `NSAffectedObjectsErrorKey`.
  func throwNext() throws {
    if let first = misuseErrors.first {
      misuseErrors.removeAll()
      throw first
    }
    if failedReads.isEmpty { return }
    let reads = failedReads.values.sorted { $0.number < $1.number }
    throw CocoaError.unread(reads[0].error, objects: reads.map(\.object))
  }
}
