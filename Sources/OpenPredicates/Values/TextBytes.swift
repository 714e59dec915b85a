import Foundation

/// Comparison by bytes: the binary order of stores, for strings, data and identifiers.
enum TextBytes {
  /// Calls `body` with the UTF-8 bytes of a text, copying only when the text is not stored that
  /// way.
  @inline(__always)
  static func with<Result>(
    _ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    text.utf8.withContiguousStorageIfAvailable(body)
      ?? Array(text.utf8).withUnsafeBufferPointer(body)
  }

  /// Orders two texts by their UTF-8 bytes.
  static func order(_ left: String, _ right: String) -> ComparisonResult {
    with(left) { one in with(right) { other in order(one, other) } }
  }

  /// Whether two texts have the same UTF-8 bytes.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    with(left) { one in
      with(right) { other in one.count == other.count && order(one, other) == .orderedSame }
    }
  }

  /// Orders two pieces of data by their bytes.
  static func order(_ left: Data, _ right: Data) -> ComparisonResult {
    left.withUnsafeBytes { one in
      right.withUnsafeBytes { other in
        order(one.bindMemory(to: UInt8.self), other.bindMemory(to: UInt8.self))
      }
    }
  }

  /// Orders two identifiers by their sixteen bytes.
  static func order(_ left: UUID, _ right: UUID) -> ComparisonResult {
    withUnsafeBytes(of: left.uuid) { one in
      withUnsafeBytes(of: right.uuid) { other in
        order(one.bindMemory(to: UInt8.self), other.bindMemory(to: UInt8.self))
      }
    }
  }

  private static func order(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    var sign = Int32(0)
    let common = min(left.count, right.count)
    if common > 0, let one = left.baseAddress, let other = right.baseAddress {
      sign = memcmp(one, other, common)
    }
    if sign == 0 { sign = Int32((left.count - right.count).signum()) }
    return sign < 0 ? .orderedAscending : sign > 0 ? .orderedDescending : .orderedSame
  }
}
