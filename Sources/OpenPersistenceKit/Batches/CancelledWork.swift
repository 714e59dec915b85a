public import Foundation

/// The error of work that ended early because its task was cancelled, with the completed part.
///
/// Asynchronous work in pieces checks for cancellation before each piece. The previous pieces are saved.
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
  /// The part completed before the task was cancelled.
  public let completed: Completed

  /// Creates an error with the completed part.
  public init(completed: Completed) { self.completed = completed }

  /// The kind of change.
  public var errorDescription: String? {
    "The work was cancelled. What was done before is saved; start again to do the rest."
  }
}
