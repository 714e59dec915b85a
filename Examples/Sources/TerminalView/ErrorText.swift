import Foundation

/// Errors as people read them.
public enum ErrorText {
  /// The sentence of an error: its own description, or else the localized one.
  ///
  /// - Parameter error: Any error.
  public static func sentence(of error: any Error) -> String {
    if let error = error as? CocoaError { return error.localizedDescription }
    if let error = error as? any CustomStringConvertible { return error.description }
    return (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
