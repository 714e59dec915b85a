internal import Foundation

/// Errors of calls that cannot throw, which a later save throws.
///
/// A misuse changed nothing: one save throws it, and it is forgotten. A failed read is different: the application has
/// seen an empty value instead of the stored one, and may have used it. Every save throws it until the application
/// refreshes the object, rolls the context back or resets it.
///
/// > Concurrency: Confined to the context's queue.
struct DeferredErrors {
  private var misuseErrors: [any Error] = []
  private var failedReads: [ObjectIdentifier: FailedRead] = [:]
  /// How many reads failed, of any object; grows until everything is forgotten.
  private(set) var failedReadCount = 0
  /// The error of the read that failed last.
  private(set) var lastFailure: (any Error)?

  private struct FailedRead {
    /// Kept alive, so that the error stays with the object that it concerns.
    let object: NSManagedObject
    let error: any Error
    let number: Int
  }

  /// Whether there is nothing to throw.
  var isEmpty: Bool { misuseErrors.isEmpty && failedReads.isEmpty }

  /// Notes a misuse; beyond a hundred only the log has them.
  mutating func note(_ misuse: any Error) {
    if misuseErrors.count < 100 { misuseErrors.append(misuse) }
  }

  /// Notes that values of an object could not be read; the first error of each object counts.
  mutating func noteFailedRead(of object: NSManagedObject, _ error: any Error) {
    failedReadCount += 1
    lastFailure = error
    guard failedReads[ObjectIdentifier(object)] == nil else { return }
    failedReads[ObjectIdentifier(object)] = FailedRead(
      object: object, error: error, number: failedReadCount)
  }

  /// Forgets the failed reads of an object that the application refreshes.
  mutating func forgetFailedReads(of object: NSManagedObject) {
    if !failedReads.isEmpty { failedReads[ObjectIdentifier(object)] = nil }
  }

  /// Forgets the failed reads after the first so many: their error is thrown at once.
  mutating func forgetFailedReads(after count: Int) {
    failedReads = failedReads.filter { $0.value.number <= count }
  }

  mutating func removeAll() {
    misuseErrors.removeAll()
    failedReads.removeAll()
  }

  /// Throws the first misuse and forgets all; without one, throws the failed reads.
  ///
  /// - Throws: The misuse, or the first read's error as `CocoaError`, with the objects that could not be read under
  ///   `NSAffectedObjectsErrorKey`.
  mutating func throwNext() throws {
    if let first = misuseErrors.first {
      misuseErrors.removeAll()
      throw first
    }
    if failedReads.isEmpty { return }
    let reads = failedReads.values.sorted { $0.number < $1.number }
    throw CocoaError.unread(reads[0].error, objects: reads.map(\.object))
  }
}
