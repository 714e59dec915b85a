public import Foundation

/// Work that ended early because its task was cancelled, with what was done before.
///
/// Asynchronous work in pieces checks for cancellation before each piece. What the pieces before wrote is saved.
///
/// ```swift
/// } catch let error as CancelledWork<Int> {
///   print("Stopped after \(error.completed) tracks.")
/// }
/// ```
///
/// > Concurrency: A value.
/// > Reference: Addition.
public struct CancelledWork<Completed: Sendable>: LocalizedError {
  /// What was done before the task was cancelled.
  public let completed: Completed

  /// Notes what was done.
  public init(completed: Completed) { self.completed = completed }

  /// What happened.
  public var errorDescription: String? {
    "The work was cancelled. What was done before is saved; start again to do the rest."
  }
}
