import Foundation

/// Runs long work on a dispatch queue, because it must not block the threads that run tasks.
public enum LongWork {
  /// Runs work that blocks its thread.
  ///
  /// - Parameter work: The work.
  /// - Returns: The result of the work.
  /// - Throws: Any error from the work.
  public static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(with: Result { try work() })
      }
    }
  }
}
