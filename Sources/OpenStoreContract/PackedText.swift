internal import COpenRuntime

extension String {
  /// Creates a string from the UTF-8 bytes of a packed row; the replacement character U+FFFD
  /// replaces invalid UTF-8, which only a damaged file contains.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  public init(packed bytes: UnsafeRawBufferPointer) {
    self = String(validPacked: bytes) ?? String(decoding: bytes, as: UTF8.self)
  }

  /// Creates a string from the UTF-8 bytes of a packed row; the result is nil if a damaged file
  /// provided invalid UTF-8.
  ///
  /// - Parameter bytes: The bytes of the string.
  /// - Complexity: O(*n*) in the number of bytes. Valid UTF-8 is copied without decoding;
  ///   copying is several times faster than decoding.
  package init?(validPacked bytes: UnsafeRawBufferPointer) {
    // Decoding is equally fast for strings that Swift stores inline.
    if bytes.count <= 15 {
      guard
        ocd_is_short_ascii(bytes.baseAddress, bytes.count)
          || ocd_kind_of_text(bytes.baseAddress, bytes.count) != OCD_TEXT_INVALID
      else { return nil }
      self = String(decoding: bytes, as: UTF8.self)
      return
    }
    switch ocd_kind_of_text(bytes.baseAddress, bytes.count) {
    case OCD_TEXT_INVALID: return nil
    case let kind:
      // The bytes were checked, and the span lives for this call only.
      let text = Span<UInt8>(_unsafeBytes: bytes)
      self = String(copying: UTF8Span(unchecked: text, isKnownASCII: kind == OCD_TEXT_ASCII))
    }
  }
}
