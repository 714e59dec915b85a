internal import Foundation

/// A cached file: signature, instant, lengths of key and data, key, data.
struct DiskCacheEntry {
  var key: String
  var created: Date
  var data: Data

  private static let signature = Data("OCDCACH1".utf8)
  private static let headLength = 32

  init(key: String, created: Date, data: Data) {
    self.key = key
    self.created = created
    self.data = data
  }

  /// Reads a file; nil for one that is cut or something else.
  init?(_ content: Data) {
    guard content.count >= Self.headLength, content.starts(with: Self.signature) else { return nil }
    func integer(_ place: Int) -> UInt64 {
      content.dropFirst(place * 8).prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    let seconds = Double(bitPattern: integer(1))
    let rest = content.dropFirst(Self.headLength)
    guard let keyLength = Int(exactly: integer(2)), let dataLength = Int(exactly: integer(3)),
      keyLength <= rest.count, dataLength == rest.count - keyLength, seconds.isFinite
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
      withUnsafeBytes(of: integer.littleEndian) { content.append(contentsOf: $0) }
    }
    return content + name + data
  }
}
