extension Sequence<UInt8> {
  /// The bytes as two lower-case hexadecimal digits each.
  package var hexadecimal: String {
    map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
