public import Foundation

/// What a repository or a cache could not do.
public enum PersistenceError: LocalizedError, Sendable {
  /// A save failed.
  case saveFailed(any Error)
  /// A fetch failed.
  case fetchFailed(any Error)
  /// A deletion failed.
  case deleteFailed(any Error)
  /// A cache could not be read or written.
  case cacheFailed(any Error)
  /// Something is not what it should be.
  case invalidData

  public var errorDescription: String? {
    switch self {
    case .saveFailed(let error): "Failed to save data: \(error.localizedDescription)"
    case .fetchFailed(let error): "Failed to fetch data: \(error.localizedDescription)"
    case .deleteFailed(let error): "Failed to delete data: \(error.localizedDescription)"
    case .cacheFailed(let error): "Cache operation failed: \(error.localizedDescription)"
    case .invalidData: "The data is invalid or corrupted"
    }
  }

  /// The error below, for one of the cases that has one.
  static func cause(of error: any Error) -> any Error {
    switch error as? PersistenceError {
    case .saveFailed(let error), .fetchFailed(let error), .deleteFailed(let error),
      .cacheFailed(let error):
      error
    case .invalidData, nil: error
    }
  }
}
