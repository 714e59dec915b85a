import Foundation

/// Images in the format PNG, without compression.
enum PNGFile {
  /// Returns a square of one color, which depends on a number.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - side: The width and height in pixels, at most 140.
  static func square(of number: Int, side: Int) -> Data {
    let color = [53, 97, 151].map { UInt8(clamping: 64 + (number &* $0) % 160) }
    // Each row begins with the number of its filter, which is 0 for none.
    let row: [UInt8] = [0] + (0..<side).flatMap { _ in color }
    let pixels = Data((0..<side).flatMap { _ in row })
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    // Eight bits for each of three colors, no interlacing.
    let header = bytes(UInt32(side)) + bytes(UInt32(side)) + Data([8, 2, 0, 0, 0])
    append("IHDR", header, to: &file)
    append("IDAT", stored(pixels), to: &file)
    append("IEND", Data(), to: &file)
    return file
  }

  private static func append(_ name: String, _ content: Data, to file: inout Data) {
    let named = Data(name.utf8) + content
    file += bytes(UInt32(content.count)) + named + bytes(Gzip.checksum(named))
  }

  /// Returns a zlib stream with one stored block of at most 65,535 bytes.
  private static func stored(_ data: Data) -> Data {
    let size = UInt16(data.count)
    let lengths = [size, ~size].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return Data([0x78, 0x01, 0x01] + lengths) + data + bytes(adler32(data))
  }

  private static func adler32(_ data: Data) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  /// Returns the bytes of a number, the most significant byte first.
  private static func bytes(_ number: UInt32) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) })
  }
}
