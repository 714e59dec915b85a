internal import Foundation
internal import OpenPredicates

/// A container with the elements of a value, by the keys of its coding.
struct KeyedElementDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ElementDecoder
  private let map: KeyMap

  init(_ decoder: ElementDecoder, _ map: KeyMap) {
    self.decoder = decoder
    self.map = map
  }

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    decoder.form.elements.indices.compactMap { position in
      if decoder.isNull(decoder.slot(position)) { return nil }
      return map.key(for: position, in: decoder.form)
    }
  }

  func contains(_ key: Key) -> Bool {
    guard let position = map.position(of: key, in: decoder.form) else { return false }
    return !decoder.isNull(decoder.slot(position))
  }

  func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

  private func slot(_ key: Key) throws -> ElementSlot {
    guard let position = map.position(of: key, in: decoder.form) else {
      throw DecodingError.keyNotFound(
        key,
        .init(
          codingPath: [key],
          debugDescription: "\(decoder.form.type) has no stored property \(key.stringValue)."))
    }
    return decoder.slot(position)
  }

  private func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ key: Key
  ) throws -> Integer {
    try decoder.scalar(slot(key)) { try ScalarForm.integer($0, as: type) }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.scalar(slot(key), ScalarForm.bool)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder.scalar(slot(key), ScalarForm.string)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder.scalar(slot(key), ScalarForm.double)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    Float(try decoder.scalar(slot(key), ScalarForm.double))
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
  func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
    try decoder.get(type, slot(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    let slot = try slot(key)
    if case .composite(let inner) = slot.content {
      return try ElementDecoder(inner, at: slot.place, from: decoder.values)
        .container(keyedBy: type)
    }
    // The coding of a case without a payload reads an empty container whose key is the case's name.
    guard case .cases = decoder.form.kind else {
      throw decoder.mismatch([String: Any].self, "a keyed container for \(slot.name)")
    }
    return KeyedDecodingContainer(EmptyKeyedDecoding())
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    let slot = try slot(key)
    guard case .composite(let inner) = slot.content else {
      throw decoder.mismatch([Any].self, "an unkeyed container for \(slot.name)")
    }
    return try ElementDecoder(inner, at: slot.place, from: decoder.values).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    throw decoder.mismatch([String: Any].self, "the values of a superclass")
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder() }
}

/// A container with the elements of a value, in the order of their declarations.
struct UnkeyedElementDecoding: UnkeyedDecodingContainer {
  private let decoder: ElementDecoder
  private(set) var currentIndex = 0

  init(_ decoder: ElementDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { [] }
  var count: Int? { decoder.form.elements.count }
  var isAtEnd: Bool { currentIndex >= decoder.form.elements.count || decoder.form.isEnumeration }

  /// Reads the next element. The position advances only if the read succeeds.
  private mutating func next<Content>(
    _ read: (ElementDecoder, ElementSlot) throws -> Content
  ) throws -> Content {
    if isAtEnd { throw decoder.mismatch(Content.self, "a value after the last stored property") }
    let content = try read(decoder, decoder.slot(currentIndex))
    currentIndex += 1
    return content
  }

  private mutating func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer
  {
    try next { decoder, slot in
      try decoder.scalar(slot) { try ScalarForm.integer($0, as: type) }
    }
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, decoder.isNull(decoder.slot(currentIndex)) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try next { try $0.scalar($1, ScalarForm.bool) }
  }
  mutating func decode(_ type: String.Type) throws -> String {
    try next { try $0.scalar($1, ScalarForm.string) }
  }
  mutating func decode(_ type: Double.Type) throws -> Double {
    try next { try $0.scalar($1, ScalarForm.double) }
  }
  mutating func decode(_ type: Float.Type) throws -> Float {
    try next { Float(try $0.scalar($1, ScalarForm.double)) }
  }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  mutating func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try next { try $0.get(type, $1) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    throw decoder.mismatch([String: Any].self, "a keyed container in an unkeyed container")
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw decoder.mismatch([Any].self, "an unkeyed container in another one")
  }

  mutating func superDecoder() throws -> any Decoder {
    throw decoder.mismatch([String: Any].self, "the values of a superclass")
  }
}

/// The container of a case without a payload, which has no contents.
struct EmptyKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key, .init(codingPath: [key], debugDescription: "The case has no associated values."))
  }

  func contains(_ key: Key) -> Bool { false }
  func decodeNil(forKey key: Key) throws -> Bool { true }
  func decode<Content: Decodable>(_ type: Content.Type, forKey key: Key) throws -> Content {
    throw missing(key)
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw missing(key) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw missing(key)
  }
  func superDecoder() throws -> any Decoder {
    throw DecodingError.dataCorrupted(
      .init(codingPath: [], debugDescription: "The case has no associated values."))
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw missing(key) }
}
