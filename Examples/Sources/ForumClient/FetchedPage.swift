public import Foundation

/// A page as it came: nothing is decoded yet.
public struct FetchedPage: Sendable {
  /// The body.
  public let bytes: [UInt8]
  /// The `Content-Type` header, charset included.
  public let contentType: String?
  /// The final address, fragment included.
  public let address: URL
  /// The status of the answer.
  public let status: Int
  /// Whether the log-in was there before the request and is gone after it.
  public let wasLoggedOut: Bool
}
