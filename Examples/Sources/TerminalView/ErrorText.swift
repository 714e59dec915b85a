import Foundation

/// Errors as people read them.
public enum ErrorText {
  /// The sentence of an error: its own description, or else the localized one.
  ///
  /// - Parameter error: Any error.
  public static func sentence(of error: any Error) -> String {
    if let error = error as? CocoaError { return error.localizedDescription }
    // As a plain value: every error can be cast to an error of Foundation, which has a description.
    let value: Any = error
    if let described = value as? any CustomStringConvertible { return described.description }
    return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
