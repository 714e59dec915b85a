internal import COpenRuntime

extension String {
  /// Creates a string from the UTF-8 bytes of a packed row, and replaces invalid UTF-8 from a
  /// damaged file with replacement characters.
  ///
  /// - Complexity: O(*n*) in the number of bytes. Valid UTF-8 is copied without decoding, which is
  ///   several times faster than decoding.
  public init(packed bytes: UnsafeRawBufferPointer) {
    // Decoding is equally fast for strings that Swift stores inline.
    if bytes.count <= 15 {
      self = String(decoding: bytes, as: UTF8.self)
      return
    }
    switch ocd_kind_of_text(bytes.baseAddress, bytes.count) {
    case OCD_TEXT_INVALID: self = String(decoding: bytes, as: UTF8.self)
    case let kind:
      // The bytes were checked, and the span lives for this call only.
      let text = Span<UInt8>(_unsafeBytes: bytes)
      self = String(copying: UTF8Span(unchecked: text, isKnownASCII: kind == OCD_TEXT_ASCII))
    }
  }
}
