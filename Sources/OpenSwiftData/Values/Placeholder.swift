internal import Foundation

/// Values for properties that have no value.
///
/// Placeholders are used for deleted rows, for rows that cannot be decoded, and in models that only
/// record which properties are read.
enum Placeholder {
  /// Returns a placeholder of a type.
  ///
  /// The placeholder is `nil`, zero, an empty string or collection, the first case of an
  /// enumeration, or a structure of such values. The function traps if the type has no placeholder,
  /// for example if it contains references to classes that cannot be decoded.
  static func value<Value>(of type: Value.Type) -> Value {
    if let value = known(type) { return value }
    preconditionFailure(
      "A value of the type \(type) was needed where none is stored, and none can be made up. Give the property "
        + "a default value, or let it be optional.")
  }

  /// Returns a placeholder of a type; `nil` if the type has none.
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

  /// Returns the value whose bits are all zero, which is the first case of an enumeration; `nil`
  /// for a type with references.
  private static func zeroBits<Value>(_ type: Value.Type) -> Value? {
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(of: type, capacity: 1) { buffer -> Value? in
      UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
      return buffer.baseAddress?.move()
    }
  }

  /// Returns the first case of an enumeration without associated values; `nil` for other types.
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

/// A decoder that returns a placeholder for every value.
///
/// Collections are empty, optional members are `nil`, and enumerations have their first case.
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
    /// The first key, which an enumeration with associated values reads to determine its case.
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
