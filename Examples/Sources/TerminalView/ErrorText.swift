import Foundation

/// Human-readable error texts.
public enum ErrorText {
  /// Returns the description of an error: its own description, or otherwise the localized one.
  ///
  /// - Parameter error: Any error.
  public static func sentence(of error: any Error) -> String {
    if let error = error as? CocoaError { return error.localizedDescription }
    // Cast as a plain value: every error can be cast to a Foundation error, which has a description.
    let value: Any = error
    if let described = value as? any CustomStringConvertible { return described.description }
    return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
