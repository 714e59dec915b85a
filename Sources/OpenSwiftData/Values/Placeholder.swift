internal import Foundation

/// Values that stand where no value is available: of a row that is gone, of one that no longer
/// decodes, and of models that only note which of their properties are read.
enum Placeholder {
  /// A value of a type: nil, zero, an empty text or collection, the first case with such values; a
  /// structure of such values.
  ///
  /// Traps for a type that has none: one with references to classes, that no decoder makes.
  static func value<Value>(of type: Value.Type) -> Value {
    if let value = known(type) { return value }
    preconditionFailure(
      "A value of the type \(type) was needed where none is stored, and none can be made up. Give the property "
        + "a default value, or let it be optional.")
  }

  /// A value of a type; nil for a type that has none.
  static func known<Value>(_ type: Value.Type) -> Value? {
    if let none = Any?.none as? Value { return none }
    if let scalar = Value.self as? any __ModelScalar.Type { return scalar.__empty as? Value }
    if let cases = Value.self as? any CaseIterable.Type { return first(of: cases) as? Value }
    if let decodable = Value.self as? any Decodable.Type,
      let value = try? decodable.init(from: ZeroDecoder()) as? Value
    {
      return value
    }
    return MemoryLayout<Value>.size == 0 ? nil : zeroBits(type)
  }

  /// The value of zero bits: of an enumeration, the first case; nil for a type with references.
  private static func zeroBits<Value>(_ type: Value.Type) -> Value? {
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(of: type, capacity: 1) { buffer -> Value? in
      UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      return buffer.baseAddress?.move()
    }
  }

  /// The first case of an enumeration without associated values; nil for other types.
  static func firstCase<Value>(of type: Value.Type) -> Value? {
    guard let cases = TypeFields(of: type), cases.kind == .enumeration, !cases.fields.isEmpty,
      cases.fields.allSatisfy({ $0.type == nil })
    else { return nil }
    return zeroBits(type)
  }

  private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Cases? {
    type.allCases.first
  }
}

/// Decodes nothing: every value is a placeholder, collections are empty, optional members nil, and
/// enumerations their first case.
private struct ZeroDecoder: Decoder {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>())
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed() }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single() }

  static func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = Placeholder.known(type) { return value }
    throw DecodingError.valueNotFound(
      type, DecodingError.Context(codingPath: [], debugDescription: "There is no placeholder."))
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    /// An enumeration with associated values looks here for its case.
    var allKeys: [Key] { Placeholder.firstCase(of: Key.self).map { [$0] } ?? [] }
    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try ZeroDecoder.value(type)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { KeyedDecodingContainer(Keyed<Nested>()) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { Unkeyed() }
    func superDecoder() -> any Decoder { ZeroDecoder() }
    func superDecoder(forKey key: Key) -> any Decoder { ZeroDecoder() }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }
    mutating func decodeNil() -> Bool { true }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try ZeroDecoder.value(type)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> { KeyedDecodingContainer(Keyed<Nested>()) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed() }
    mutating func superDecoder() -> any Decoder { ZeroDecoder() }
  }

  private struct Single: SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try ZeroDecoder.value(type)
    }
  }
}
