public import Foundation

/// An error with the failed operation of a repository or cache, and a sentence for users.
///
/// An enumeration, so an application can match the cause: `catch PersistenceError.saveFailed(let cause)`.
///
/// > Concurrency: A value.
/// > Reference: Addition.
public enum PersistenceError: LocalizedError, Sendable {
  /// A save failed.
  case saveFailed(any Error)
  /// A fetch failed.
  case fetchFailed(any Error)
  /// A deletion failed.
  case deleteFailed(any Error)
  /// A cache could not be read or written.
  case cacheFailed(any Error)
  /// The value that was read is invalid.
  case invalidData

  /// The failed operation and the reason.
  public var errorDescription: String? {
    switch self {
    case .saveFailed(let error): "Failed to save data: \(error.localizedDescription)"
    case .fetchFailed(let error): "Failed to fetch data: \(error.localizedDescription)"
    case .deleteFailed(let error): "Failed to delete data: \(error.localizedDescription)"
    case .cacheFailed(let error): "Cache operation failed: \(error.localizedDescription)"
    case .invalidData: "The data is invalid or corrupted"
    }
  }

  /// The error that one of the cases wraps; any other error as it is.
  static func cause(of error: any Error) -> any Error {
    switch error as? PersistenceError {
    case .saveFailed(let cause), .fetchFailed(let cause), .deleteFailed(let cause),
      .cacheFailed(let cause):
      Self.cause(of: cause)
    case .invalidData, nil: error
    }
  }
}
