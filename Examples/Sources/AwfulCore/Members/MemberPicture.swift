public import Foundation

/// An image in a format that browsers show.
public struct MemberPicture: Sendable, Equatable {
  /// The maximum size of an image in bytes. Avatars are much smaller.
  public static let sizeLimitInBytes = 1_000_000

  /// The content.
  public let data: Data
  /// The content type, according to the content.
  public let contentType: String

  /// Creates an image.
  ///
  /// - Parameter data: The content.
  /// - Returns: nil if the content is too large, or is not a PNG, GIF, JPEG or WebP file.
  public init?(_ data: Data) {
    guard data.count <= Self.sizeLimitInBytes,
      let type = Self.contentType(of: [UInt8](data.prefix(12)))
    else { return nil }
    self.data = data
    contentType = type
  }

  private static func contentType(of start: [UInt8]) -> String? {
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8) { return "image/gif" }
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    let isWebP = start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8)
    return isWebP ? "image/webp" : nil
  }
}
