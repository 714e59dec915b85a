public import Foundation

/// The error of work that stopped early because its task was cancelled, with the completed part of
/// the work.
///
/// Asynchronous work in pieces checks for cancellation before each piece. The pieces before the
/// cancellation are saved.
///
/// ```swift
/// } catch let error as CancelledWork<Int> {
///   print("Stopped after \(error.completed) tracks.")
/// }
/// ```
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value.
public struct CancelledWork<Completed: Sendable>: LocalizedError {
  /// The part of the work that was completed before the task was cancelled.
  public let completed: Completed

  /// Creates an error with the completed part of the work.
  public init(completed: Completed) { self.completed = completed }

  /// A sentence saying that the work was cancelled and that its completed part is saved.
  public var errorDescription: String? {
    "The work was cancelled. What was done before is saved; start again to do the rest."
  }
}
