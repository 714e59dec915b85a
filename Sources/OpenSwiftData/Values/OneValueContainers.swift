/// A container that decodes a single value from one element.
protocol OneValueDecoding: SingleValueDecodingContainer {
  /// The decoder with the values.
  var element: ElementDecoder { get }

  /// Returns the element that contains the value.
  ///
  /// - Throws: `DecodingError` if there is not exactly one element.
  func slot(for type: any Any.Type) throws -> ElementSlot
}

extension OneValueDecoding {
  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    try element.scalar(slot(for: type)) { try ScalarForm.integer($0, as: type) }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    try element.scalar(slot(for: type), ScalarForm.bool)
  }
  func decode(_ type: String.Type) throws -> String {
    try element.scalar(slot(for: type), ScalarForm.string)
  }
  func decode(_ type: Double.Type) throws -> Double {
    try element.scalar(slot(for: type), ScalarForm.double)
  }
  func decode(_ type: Float.Type) throws -> Float {
    Float(try element.scalar(slot(for: type), ScalarForm.double))
  }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}

/// A container that encodes a single value into one element.
protocol OneValueEncoding: SingleValueEncodingContainer {
  /// The encoder that receives the values.
  var element: ElementEncoder { get }

  /// Returns the element that receives the value.
  ///
  /// - Parameter what: A description of the written value, for the error.
  /// - Throws: `ModelValueError` if there is not exactly one element.
  func slot(for what: String) throws -> ElementSlot
}

extension OneValueEncoding {
  private func integer<Integer: FixedWidthInteger>(_ value: Integer, _ what: String) throws {
    try element.put(slot(for: what)) { try $0.value(value) }
  }

  func encodeNil() throws {}
  func encode(_ value: Bool) throws {
    try element.put(slot(for: "a Bool")) { try $0.value(value) }
  }
  func encode(_ value: String) throws {
    try element.put(slot(for: "a String")) { try $0.value(value) }
  }
  func encode(_ value: Double) throws {
    try element.put(slot(for: "a Double")) { try $0.value(value) }
  }
  func encode(_ value: Float) throws {
    try element.put(slot(for: "a Float")) { try $0.value(Double(value)) }
  }
  func encode(_ value: Int) throws { try integer(value, "an Int") }
  func encode(_ value: Int8) throws { try integer(value, "an Int8") }
  func encode(_ value: Int16) throws { try integer(value, "an Int16") }
  func encode(_ value: Int32) throws { try integer(value, "an Int32") }
  func encode(_ value: Int64) throws { try integer(value, "an Int64") }
  func encode(_ value: UInt) throws { try integer(value, "a UInt") }
  func encode(_ value: UInt8) throws { try integer(value, "a UInt8") }
  func encode(_ value: UInt16) throws { try integer(value, "a UInt16") }
  func encode(_ value: UInt32) throws { try integer(value, "a UInt32") }
  func encode(_ value: UInt64) throws { try integer(value, "a UInt64") }
}
