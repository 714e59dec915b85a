/// The header of a frame of FLAC audio.
///
/// A value.
struct FLACFrame {
  /// The number of the frame, or of its first sample if frames vary in length.
  private let number: Int
  private let isNumberOfSample: Bool
  /// The number of samples per channel.
  private let blockSize: Int

  /// Parses a header; returns nil if the bytes, by their checksum, are not a header.
  init?(_ bytes: [UInt8], at place: Int) {
    guard place + 4 < bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8,
      bytes[place + 3] & 1 == 0
    else { return nil }
    isNumberOfSample = bytes[place + 1] & 1 == 1
    let (sizeCode, rateCode) = (Int(bytes[place + 2] >> 4), Int(bytes[place + 2] & 15))
    guard sizeCode > 0, rateCode < 15, let coded = Self.number(bytes, at: place + 4) else {
      return nil
    }
    number = coded.value
    var end = coded.end
    switch sizeCode {
    case 1: blockSize = 192
    case 2...5: blockSize = 576 << (sizeCode - 2)
    case 6, 7:
      blockSize = bytes.bigEndian(at: end, count: sizeCode - 5) + 1
      end += sizeCode - 5
    default: blockSize = 256 << (sizeCode - 8)
    }
    if rateCode >= 12 { end += rateCode == 12 ? 1 : 2 }
    guard end < bytes.count, Self.checkSum(bytes[place..<end]) == bytes[end] else { return nil }
  }

  /// Returns the number of the sample that follows the frame.
  ///
  /// - Parameter commonSize: The number of samples in each frame except the last, if all frames have the same size.
  func end(commonSize: Int) -> Int {
    let (start, overflow) = number.multipliedReportingOverflow(
      by: isNumberOfSample ? 1 : commonSize)
    return overflow ? 0 : start + blockSize
  }

  /// Returns a number of up to 36 bits in UTF-8-style encoding.
  private static func number(_ bytes: [UInt8], at place: Int) -> (value: Int, end: Int)? {
    let first = bytes[place]
    if first < 0x80 { return (Int(first), place + 1) }
    let length = (~first).leadingZeroBitCount
    guard (2...7).contains(length), place + length <= bytes.count else { return nil }
    var value = length == 7 ? 0 : Int(first & (0x7F >> length))
    for byte in bytes[place + 1..<place + length] {
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int(byte & 0x3F)
    }
    return (value, place + length)
  }

  private static func checkSum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    var sum: UInt8 = 0
    for byte in bytes {
      sum ^= byte
      for _ in 0..<8 { sum = sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
    return sum
  }
}
