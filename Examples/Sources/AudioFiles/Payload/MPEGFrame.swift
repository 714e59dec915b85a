/// The header of a frame of MPEG audio.
///
/// A value.
struct MPEGFrame: Equatable {
  /// The frame's size in bytes, with its header.
  let size: Int
  /// The position in the first frame of a file where the encoder may store information about the whole file.
  let noteOffset: Int
  /// The properties that all frames of a file share: version, layer and sample rate.
  private let kind: Int

  private static let bitrates: [[Int]] = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// Parses a header; returns nil if the bytes are not a header, and for frames with a free bit rate.
  init?(_ bytes: [UInt8], at place: Int = 0) {
    guard place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] & 0xE0 == 0xE0 else {
      return nil
    }
    let (second, third) = (Int(bytes[place + 1]), Int(bytes[place + 2]))
    let version = second >> 3 & 3  // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
    let layer = 4 - (second >> 1 & 3)
    let (rate, frequency) = (third >> 4, third >> 2 & 3)
    guard version != 1, layer < 4, rate > 0, rate < 15, frequency < 3 else { return nil }
    let isFirst = version == 3
    let table = isFirst ? layer - 1 : layer == 1 ? 3 : 4
    let bits = Self.bitrates[table][rate] * 1_000
    let frequencies = [44_100, 48_000, 32_000]
    let sampleRate = frequencies[frequency] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let padding = third >> 1 & 1
    size =
      layer == 1
      ? (12 * bits / sampleRate + padding) * 4
      : (layer == 3 && !isFirst ? 72 : 144) * bits / sampleRate + padding
    let isMono = bytes[place + 3] >> 6 == 3
    noteOffset = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    kind = version << 8 | layer << 4 | frequency
  }

  /// Returns whether a frame can belong to the same file.
  func isLike(_ other: MPEGFrame) -> Bool { kind == other.kind }
}
