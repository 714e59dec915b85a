import Foundation

/// Compares strings, data and identifiers by bytes, which is the binary order of stores.
enum TextBytes {
  /// Calls `body` with the UTF-8 bytes of a string, which are copied only if the string is not
  /// stored as contiguous UTF-8.
  @inline(__always)
  static func with<Result>(
    _ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    text.utf8.withContiguousStorageIfAvailable(body)
      ?? Array(text.utf8).withUnsafeBufferPointer(body)
  }

  /// Returns the order of two strings by their UTF-8 bytes.
  static func order(_ left: String, _ right: String) -> ComparisonResult {
    with(left) { one in with(right) { other in order(one, other) } }
  }

  /// Returns whether two strings have the same UTF-8 bytes.
  static func areEqual(_ left: String, _ right: String) -> Bool {
    with(left) { one in
      with(right) { other in one.count == other.count && order(one, other) == .orderedSame }
    }
  }

  /// Returns the order of two data values by their bytes.
  static func order(_ left: Data, _ right: Data) -> ComparisonResult {
    left.withUnsafeBytes { one in
      right.withUnsafeBytes { other in
        order(one.bindMemory(to: UInt8.self), other.bindMemory(to: UInt8.self))
      }
    }
  }

  /// Returns the order of two identifiers by their sixteen bytes.
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
