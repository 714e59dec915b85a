public import Foundation

/// The error of a method whose task was cancelled before all its work was completed.
///
/// Methods that save their work in batches, such as `PersistenceController.performInPieces`, check
/// for cancellation before each batch. Batches that were completed before the cancellation remain
/// saved, and ``completed`` contains their result.
///
/// ```swift
/// } catch let error as CancelledWork<Int> {
///   print("Stopped after \(error.completed) tracks.")
/// }
/// ```
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public struct CancelledWork<Completed: Sendable>: LocalizedError {
  /// The result of the work that was completed before the cancellation. The method that throws the
  /// error determines the type of the result, such as a number of elements or an array of ids.
  public let completed: Completed

  /// Creates an error.
  ///
  /// - Parameter completed: The result of the work that was completed before the cancellation.
  public init(completed: Completed) { self.completed = completed }

  /// A sentence that says that the work was cancelled and that the completed work is saved.
  public var errorDescription: String? {
    "The work was cancelled. What was done before is saved; start again to do the rest."
  }
}
