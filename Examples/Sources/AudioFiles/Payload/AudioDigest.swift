import CAudioTags

/// The SHA-256 digest of bytes that are added in parts.
///
/// A value.
struct AudioDigest {
  private var digest = audio_digest_make()

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { audio_digest_add(&digest, $0.baseAddress, $0.count) }
  }

  mutating func add(_ bytes: [UInt8]) { add(bytes[...]) }

  /// Adds a part of a file.
  mutating func add(_ range: Range<Int>, of file: OpenedFile) throws(AudioFileError) {
    var place = range.lowerBound
    while place < range.upperBound {
      let bytes = try file.bytes(at: place, count: min(1 << 18, range.upperBound - place))
      if bytes.isEmpty { return }
      add(bytes)
      place += bytes.count
    }
  }

  /// Returns the digest in hexadecimal digits. The value must not be used afterwards.
  mutating func finish() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      if let start = buffer.baseAddress { audio_digest_finish(&digest, start) }
      count = 32
    }
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
