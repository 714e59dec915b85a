internal import Foundation

/// The content of a file in a disk cache.
///
/// The content consists of a signature, the date, the lengths of the key and of the data, a
/// checksum of everything else, the key, and the data.
struct DiskCacheEntry {
  var key: String
  var created: Date
  var data: Data

  private static let signature = Data("OCDCACH2".utf8)
  private static let headLength = 40
  private static let checksumPlace = 4

  init(key: String, created: Date, data: Data) {
    self.key = key
    self.created = created
    self.data = data
  }

  /// Decodes the content of a file; nil if the content is truncated, damaged or in another format.
  init?(_ content: Data) {
    guard content.count >= Self.headLength, content.starts(with: Self.signature) else { return nil }
    func integer(_ place: Int) -> UInt64 {
      content.dropFirst(place * 8).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let seconds = Double(bitPattern: integer(1))
    let rest = content.dropFirst(Self.headLength)
    guard let keyLength = Int(exactly: integer(2)), let dataLength = Int(exactly: integer(3)),
      keyLength <= rest.count, dataLength == rest.count - keyLength, seconds.isFinite,
      integer(Self.checksumPlace) == Self.checksum(content.prefix(32), rest)
    else { return nil }
    created = Date(timeIntervalSinceReferenceDate: seconds)
    key = String(decoding: rest.prefix(keyLength), as: UTF8.self)
    data = Data(rest.dropFirst(keyLength))
  }

  /// The file's bytes.
  var content: Data {
    let name = Data(key.utf8)
    var content = Self.signature
    for integer in [
      created.timeIntervalSinceReferenceDate.bitPattern, UInt64(name.count), UInt64(data.count),
    ] {
      Self.append(integer, to: &content)
    }
    let rest = name + data
    Self.append(Self.checksum(content, rest), to: &content)
    return content + rest
  }

  private static func append(_ integer: UInt64, to content: inout Data) {
    withUnsafeBytes(of: integer.littleEndian) { content.append(contentsOf: $0) }
  }

  /// Returns a checksum that detects damage but not forgery.
  private static func checksum(_ head: Data, _ rest: Data) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in [head, rest] {
      part.withUnsafeBytes { bytes in
        let whole = bytes.count & ~7
        for offset in stride(from: 0, to: whole, by: 8) {
          let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          mix(UInt64(littleEndian: word), into: &sum)
        }
        for byte in bytes[whole...] { mix(UInt64(byte), into: &sum) }
      }
    }
    return sum
  }

  /// Mixes one word into the checksum. The operation is reversible, so that the checksum detects
  /// any change of a single word.
  private static func mix(_ word: UInt64, into sum: inout UInt64) {
    sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
    sum ^= sum >> 32
  }
}
