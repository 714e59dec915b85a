public import Foundation

/// The error that a method throws if its task is canceled before all work is completed.
///
/// Methods that save their work in batches, such as `PersistenceController.performInPieces`, check
/// for cancellation before each batch. The changes of completed batches remain saved, and
/// ``completed`` contains the result of these batches.
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
  /// The result of the work that was completed before the cancellation. The type of the result
  /// depends on the method that throws the error. Examples are a number of elements and an array
  /// of ids.
  public let completed: Completed

  /// Creates an error.
  ///
  /// - Parameter completed: The result of the work that was completed before the cancellation.
  public init(completed: Completed) { self.completed = completed }

  /// A message for users, which states that the work was canceled, that the completed part is
  /// saved, and that the user can start again.
  public var errorDescription: String? {
    "The work was canceled. The completed part is saved. To complete the rest, start again."
  }
}
