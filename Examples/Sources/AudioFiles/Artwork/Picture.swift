public import Foundation

/// A picture in a format that browsers display.
///
/// A value.
public struct Picture: Sendable, Equatable {
  /// The encoded picture.
  public let data: Data
  /// The media type, detected from the content: "image/jpeg", "image/png", "image/gif" or "image/webp".
  public let mediaType: String
  /// The picture type as defined by ID3v2 and FLAC: 3 is the front cover, 4 the back cover, 0 other.
  public let kind: Int

  /// The picture type of front covers.
  public static let frontCover = 3
  /// The maximum size of a picture, in bytes.
  static let sizeLimit = 32 << 20

  /// Creates a picture from bytes; returns nil if the type is unknown or there are too many bytes.
  init?(_ bytes: [UInt8], kind: Int) {
    guard bytes.count <= Self.sizeLimit, let mediaType = Self.mediaType(of: bytes) else {
      return nil
    }
    data = Data(bytes)
    self.mediaType = mediaType
    self.kind = kind
  }

  /// Reads a picture file as a front cover.
  ///
  /// - Parameter url: The file.
  /// - Returns: The picture, or nil if the file is not a picture of a known type, or is larger than 32 megabytes.
  /// - Throws: `AudioFileError` if the file cannot be read.
  public static func read(_ url: URL) throws(AudioFileError) -> Picture? {
    let file = try OpenedFile(url.path)
    guard file.size <= sizeLimit, try mediaType(of: file.bytes(at: 0, count: 16)) != nil else {
      return nil
    }
    return Picture(try file.bytes(at: 0, count: file.size), kind: frontCover)
  }

  private static func mediaType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: "GIF8".utf8) { return "image/gif" }
    return bytes.holds("RIFF", at: 0) && bytes.holds("WEBP", at: 8) ? "image/webp" : nil
  }

  /// Returns the pictures with front covers first, otherwise in the file's order.
  static func coverFirst(_ pictures: [Picture]) -> [Picture] {
    pictures.filter { $0.kind == frontCover } + pictures.filter { $0.kind != frontCover }
  }
}
