import Foundation

/// Encodes bytes as gzip in stored blocks: valid for any decoder, but not smaller.
enum Gzip {
  private static let largestBlock = 65_535

  /// Returns a gzip member: header, blocks, checksum and length.
  static func member(holding data: Data) -> Data {
    var result = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
    var rest = data[...]
    repeat {
      let block = rest.prefix(largestBlock)
      rest = rest.dropFirst(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      append(UInt32(block.count) | ~UInt32(block.count) << 16, to: &result)
      result.append(block)
    } while !rest.isEmpty
    append(checksum(data), to: &result)
    append(UInt32(truncatingIfNeeded: data.count), to: &result)
    return result
  }

  /// Appends a number with its least significant byte first.
  private static func append(_ number: UInt32, to data: inout Data) {
    for shift in stride(from: 0, to: 32, by: 8) {
      data.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
    }
  }

  /// Returns the CRC-32 checksum with the format's reversed polynomial.
  static func checksum(_ data: Data) -> UInt32 {
    let table = (UInt32(0)..<256).map(tableEntry)
    var sum = UInt32.max
    for byte in data {
      let position = Int((sum ^ UInt32(byte)) & 0xFF)
      sum = (sum >> 8) ^ table[position]
    }
    return ~sum
  }

  private static func tableEntry(_ byte: UInt32) -> UInt32 {
    var value = byte
    for _ in 0..<8 {
      let isOdd = value & 1 == 1
      value >>= 1
      if isOdd { value ^= 0xEDB8_8320 }
    }
    return value
  }
}
