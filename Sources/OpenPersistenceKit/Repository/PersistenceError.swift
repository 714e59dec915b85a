public import Foundation

/// An error for an application's repositories and caches, with a case for each operation that can
/// fail.
///
/// The library itself throws only ``saveFailed(_:)``, from
/// `saveWithRetry(_:attempts:clock:isTransient:)`.
///
/// Most cases contain the error that caused the failure, for example in
/// `catch PersistenceError.saveFailed(let cause)`.
///
/// This is an addition to Apple's API.
///
/// > Concurrency: A value type; usable on any thread.
public enum PersistenceError: LocalizedError, Sendable {
  /// A save failed.
  case saveFailed(any Error)
  /// A fetch failed.
  case fetchFailed(any Error)
  /// A deletion failed.
  case deleteFailed(any Error)
  /// A cache could not be read or written.
  case cacheFailed(any Error)
  /// A value that was read from the store or cache is invalid.
  case invalidData

  /// A sentence for users that states the failed operation and the reason.
  public var errorDescription: String? {
    switch self {
    case .saveFailed(let error): "Failed to save data: \(error.localizedDescription)"
    case .fetchFailed(let error): "Failed to fetch data: \(error.localizedDescription)"
    case .deleteFailed(let error): "Failed to delete data: \(error.localizedDescription)"
    case .cacheFailed(let error): "Cache operation failed: \(error.localizedDescription)"
    case .invalidData: "The data is invalid or corrupted"
    }
  }

  /// Returns the cause that a `PersistenceError` contains. Any other error is returned unchanged.
  static func cause(of error: any Error) -> any Error {
    switch error as? PersistenceError {
    case .saveFailed(let cause), .fetchFailed(let cause), .deleteFailed(let cause),
      .cacheFailed(let cause):
      Self.cause(of: cause)
    case .invalidData, nil: error
    }
  }
}
