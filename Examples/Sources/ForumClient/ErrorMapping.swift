import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Converts the session's errors to the client's errors.
enum ErrorMapping {
  /// Returns the client's error for any error.
  ///
  /// - Parameters:
  ///   - error: The error to convert.
  ///   - path: The requested path.
  /// - Returns: The client's error, which names the path.
  static func clientError(for error: any Error, path: String) -> ClientError {
    if let error = error as? ClientError {
      return ClientError(
        error.code, error.message, path: error.path ?? path, status: error.status,
        retryAfterInSeconds: error.retryAfterInSeconds, page: error.page,
        underlying: error.underlying, hasNoConnection: error.hasNoConnection)
    }
    if error is CancellationError {
      return ClientError(.cancelled, "The request was canceled.", path: path)
    }
    let number = (error as NSError).code
    let (code, message) = meaning(of: number)
    return ClientError(
      code, message, path: path, underlying: error,
      hasNoConnection: connectionFailures.contains(number))
  }

  /// The codes of failures that occur before anything is sent.
  private static let connectionFailures: Set<Int> = [
    NSURLErrorNotConnectedToInternet, NSURLErrorCannotConnectToHost, NSURLErrorCannotFindHost,
    NSURLErrorDNSLookupFailed, NSURLErrorBadURL, NSURLErrorUnsupportedURL,
  ]

  private static func meaning(of code: Int) -> (ClientError.Code, String) {
    switch code {
    case NSURLErrorTimedOut: (.timeout, "The site did not respond in time.")
    case NSURLErrorCancelled: (.cancelled, "The request was canceled.")
    case NSURLErrorNotConnectedToInternet, NSURLErrorCannotConnectToHost,
      NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed, NSURLErrorNetworkConnectionLost:
      (.offline, "The site cannot be reached.")
    case NSURLErrorBadURL, NSURLErrorUnsupportedURL:
      (.malformedAddress, "The address is invalid or not supported.")
    default: (.transferFailed, "The transfer failed.")
    }
  }
}
