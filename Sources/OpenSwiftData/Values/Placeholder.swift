internal import Foundation
internal import OpenObjectGraph

/// Values for properties that have no value.
///
/// Placeholders are used for deleted rows, for rows that cannot be decoded, and in models that only
/// record which properties are read.
enum Placeholder {
  /// Returns a placeholder of a type.
  ///
  /// The placeholder is `nil`, zero, an empty string or collection, the first case of an
  /// enumeration, or a structure of such values. The function traps if the type has no placeholder.
  /// Schemas do not accept a property of such a type, unless the property is optional or has a
  /// default value.
  static func value<Value>(of type: Value.Type) -> Value {
    if let value = known(type) { return value }
    preconditionFailure(
      "The store has no value for a property of type \(type), and \(type) has no empty value. Give the property "
        + "a default value, or make it optional.")
  }

  /// Returns whether a type has a placeholder.
  static func exists(for type: any Any.Type) -> Bool {
    func open<Value>(_ type: Value.Type) -> Bool { known(type) != nil }
    return _openExistential(type, do: open)
  }

  /// Returns a placeholder of a type; `nil` if the type has none.
  static func known<Value>(_ type: Value.Type) -> Value? { known(type, inside: []) }

  /// Returns a placeholder of a type; `nil` if the type has none.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - outer: The types whose placeholders will contain the placeholder.
  fileprivate static func known<Value>(
    _ type: Value.Type, inside outer: Set<ObjectIdentifier>
  ) -> Value? {
    if let none = Any?.none as? Value { return none }
    if let scalar = Value.self as? any __ModelScalar.Type { return scalar.__empty as? Value }
    if let cases = Value.self as? any CaseIterable.Type { return first(of: cases) as? Value }
    // The decoders of these types do not accept an empty identifier.
    if type == TimeZone.self { return TimeZone(secondsFromGMT: 0) as? Value }
    if type == Calendar.self { return Calendar(identifier: .gregorian) as? Value }
    if type is NSObject.Type, let value = EmptyValue.value(of: type) { return value }
    // Creating a value that contains another value of the same type would never end.
    guard outer.count < 64, !outer.contains(ObjectIdentifier(type)) else { return nil }
    let outer = outer.union([ObjectIdentifier(type)])
    // The initializer of a structure may reject empty values, so it is not used.
    if let value = plainCase(0, of: type) ?? structure(type, outer) { return value }
    if let value = decoded(type, outer) { return value }
    return MemoryLayout<Value>.size == 0 ? nil : bits(type)
  }

  /// Returns a structure whose stored properties are placeholders; `nil` for other types, and if a
  /// property has no placeholder.
  private static func structure<Value>(
    _ type: Value.Type, _ outer: Set<ObjectIdentifier>
  ) -> Value? {
    guard !StoredFormBuilder.isOpaque(type), let described = TypeFields(of: type),
      described.kind == .structure
    else { return nil }
    func part<Part>(_ type: Part.Type) -> ((UnsafeMutableRawPointer) -> Void)? {
      guard let value = known(type, inside: outer) else { return nil }
      return { $0.initializeMemory(as: Part.self, repeating: value, count: 1) }
    }
    var parts: [(offset: Int, initialize: (UnsafeMutableRawPointer) -> Void)] = []
    for field in described.fields {
      guard let content = field.type, let offset = field.offset,
        let initialize = _openExistential(content, do: part)
      else { return nil }
      parts.append((offset, initialize))
    }
    // Invariant: the parts are all stored properties of the structure, at their offsets.
    return withUnsafeTemporaryAllocation(of: type, capacity: 1) { buffer -> Value? in
      guard let base = buffer.baseAddress else { return nil }
      for part in parts { part.initialize(UnsafeMutableRawPointer(base) + part.offset) }
      return base.move()
    }
  }

  /// Returns the value that a type decodes from placeholders; `nil` if the type does not decode
  /// one.
  private static func decoded<Value>(
    _ type: Value.Type, _ outer: Set<ObjectIdentifier>
  ) -> Value? {
    guard let decodable = Value.self as? any Decodable.Type else { return nil }
    var count = 1
    if let described = TypeFields(of: type), described.kind == .enumeration {
      count = described.fields.count
    }
    for number in 0..<count {
      // If a case has no placeholder, the next case may have one.
      let decoder = ZeroDecoder(outer: outer, caseNumber: number)
      if let value = try? decodable.init(from: decoder) as? Value { return value }
    }
    return nil
  }

  /// Returns the value with a number in the first byte and zeros in all other bytes; `nil` for a
  /// type with references.
  private static func bits<Value>(_ type: Value.Type, first number: UInt8 = 0) -> Value? {
    guard _isPOD(type) else { return nil }
    return withUnsafeTemporaryAllocation(of: type, capacity: 1) { buffer -> Value? in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      if number > 0 { bytes[0] = number }
      return buffer.baseAddress?.move()
    }
  }

  /// Returns a case of an enumeration without associated values; `nil` for other types.
  ///
  /// - Parameters:
  ///   - number: The number of the case in the order of the declarations, which is less than 256.
  ///   - type: The type.
  static func plainCase<Value>(_ number: Int, of type: Value.Type) -> Value? {
    guard let cases = TypeFields(of: type), cases.kind == .enumeration,
      cases.fields.indices.contains(number), cases.fields.allSatisfy({ $0.type == nil }),
      let byte = UInt8(exactly: number)
    else { return nil }
    return bits(type, first: byte)
  }

  private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Cases? {
    type.allCases.first
  }
}

/// A decoder that returns a placeholder for every value.
///
/// Collections are empty, optional members are `nil`, and enumerations have their first case.
private struct ZeroDecoder: Decoder {
  /// The types of the values that are being decoded, from the outermost value to the current value.
  let outer: Set<ObjectIdentifier>
  /// The number of the case that an enumeration with associated values decodes.
  let caseNumber: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Keyed<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(decoder: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  /// The decoder of a part of the current value.
  private var part: ZeroDecoder { ZeroDecoder(outer: outer, caseNumber: 0) }

  private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let value = Placeholder.known(type, inside: outer) { return value }
    throw DecodingError.valueNotFound(
      type, DecodingError.Context(codingPath: [], debugDescription: "The type has no empty value."))
  }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ZeroDecoder
    var codingPath: [any CodingKey] { [] }
    /// The key that an enumeration with associated values reads to determine its case.
    var allKeys: [Key] {
      Placeholder.plainCase(decoder.caseNumber, of: Key.self).map { [$0] } ?? []
    }
    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder.value(type)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { decoder.part.container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      decoder.part.unkeyedContainer()
    }
    func superDecoder() -> any Decoder { decoder.part }
    func superDecoder(forKey key: Key) -> any Decoder { decoder.part }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: ZeroDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }
    mutating func decodeNil() -> Bool { true }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try decoder.value(type)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> { decoder.part.container(keyedBy: type) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
      decoder.part.unkeyedContainer()
    }
    mutating func superDecoder() -> any Decoder { decoder.part }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: ZeroDecoder
    var codingPath: [any CodingKey] { [] }
    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try decoder.value(type)
    }
  }
}
