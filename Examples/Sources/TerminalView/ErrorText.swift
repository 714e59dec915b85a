import Foundation

/// Errors as people read them.
public enum ErrorText {
  /// The sentence of an error: the localized one, or else its description.
  ///
  /// - Parameter error: Any error.
  public static func sentence(of error: any Error) -> String {
    if let sentence = (error as? any LocalizedError)?.errorDescription { return sentence }
    return error is CocoaError ? error.localizedDescription : "\(error)"
  }
}
