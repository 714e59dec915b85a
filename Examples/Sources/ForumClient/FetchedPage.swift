public import Foundation

/// A page as received, before decoding.
public struct FetchedPage: Sendable {
  /// The body.
  public let bytes: [UInt8]
  /// The `Content-Type` header, charset included.
  public let contentType: String?
  /// The final address, fragment included.
  public let address: URL
  /// The status of the response.
  public let status: Int
  /// Whether the reader was logged in before the request and not after it.
  public let wasLoggedOut: Bool
}
