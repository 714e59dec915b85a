internal import Foundation
internal import OpenPredicates

/// A container that receives the elements of a value, by the keys of its coding.
struct KeyedElementEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let encoder: ElementEncoder
  private let map: KeyMap

  init(_ encoder: ElementEncoder, _ map: KeyMap) {
    self.encoder = encoder
    self.map = map
  }

  var codingPath: [any CodingKey] { [] }

  private func slot(_ key: Key) throws -> ElementSlot {
    guard let position = map.position(of: key, in: encoder.form) else {
      throw encoder.wrongShape("a value under the key \(key.stringValue)")
    }
    return encoder.slot(position)
  }

  mutating func encodeNil(forKey key: Key) throws {}

  mutating func encode(_ value: Bool, forKey key: Key) throws {
    try encoder.put(slot(key)) { try $0.value(value) }
  }
  mutating func encode(_ value: String, forKey key: Key) throws {
    try encoder.put(slot(key)) { try $0.value(value) }
  }
  mutating func encode(_ value: Double, forKey key: Key) throws {
    try encoder.put(slot(key)) { try $0.value(value) }
  }
  mutating func encode(_ value: Float, forKey key: Key) throws {
    try encoder.put(slot(key)) { try $0.value(Double(value)) }
  }
  mutating func encode(_ value: Int, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: Int8, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: Int16, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: Int32, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: Int64, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: UInt, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: UInt8, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: UInt16, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: UInt32, forKey key: Key) throws { try put(value, key) }
  mutating func encode(_ value: UInt64, forKey key: Key) throws { try put(value, key) }

  private func put(_ integer: some FixedWidthInteger, _ key: Key) throws {
    try encoder.put(slot(key)) { try $0.value(integer) }
  }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    try encoder.put(value, slot(key))
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    guard let position = map.position(of: key, in: encoder.form) else {
      return discarding("a keyed container under the key \(key.stringValue)")
    }
    let slot = encoder.slot(position)
    switch (encoder.form.kind, slot.content) {
    case (.cases, _):
      // The coding of a case without a payload writes an empty container whose key is the case's
      // name.
      encoder.values.values[slot.place] = .string(slot.name)
      return KeyedEncodingContainer(DiscardingKeyedEncoding())
    case (_, .composite(let inner)):
      return ElementEncoder(inner, at: slot.place, into: encoder.values).container(keyedBy: type)
    default: return discarding("a keyed container for \(slot.name)")
    }
  }

  private func discarding<Nested: CodingKey>(_ what: String) -> KeyedEncodingContainer<Nested> {
    encoder.values.fail(encoder.wrongShape(what))
    return KeyedEncodingContainer(DiscardingKeyedEncoding())
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    if let position = map.position(of: key, in: encoder.form),
      case .composite(let inner) = encoder.slot(position).content
    {
      let slot = encoder.slot(position)
      return ElementEncoder(inner, at: slot.place, into: encoder.values).unkeyedContainer()
    }
    encoder.values.fail(encoder.wrongShape("an unkeyed container under the key \(key.stringValue)"))
    return DiscardingEncoding()
  }

  mutating func superEncoder() -> any Encoder {
    encoder.values.fail(encoder.wrongShape("the values of a superclass"))
    return DiscardingEncoding()
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

/// A container that receives the elements of a value, in the order of their declarations.
struct UnkeyedElementEncoding: UnkeyedEncodingContainer {
  private let encoder: ElementEncoder
  private(set) var count = 0

  init(_ encoder: ElementEncoder) { self.encoder = encoder }

  var codingPath: [any CodingKey] { [] }

  private mutating func next() throws -> ElementSlot {
    guard count < encoder.form.elements.count, !encoder.form.isEnumeration else {
      throw encoder.wrongShape("unkeyed values")
    }
    count += 1
    return encoder.slot(count - 1)
  }

  mutating func encodeNil() throws { _ = try next() }
  mutating func encode(_ value: Bool) throws { try encoder.put(next()) { try $0.value(value) } }
  mutating func encode(_ value: String) throws { try encoder.put(next()) { try $0.value(value) } }
  mutating func encode(_ value: Double) throws { try encoder.put(next()) { try $0.value(value) } }
  mutating func encode(_ value: Float) throws {
    try encoder.put(next()) { try $0.value(Double(value)) }
  }
  mutating func encode(_ value: Int) throws { try put(value) }
  mutating func encode(_ value: Int8) throws { try put(value) }
  mutating func encode(_ value: Int16) throws { try put(value) }
  mutating func encode(_ value: Int32) throws { try put(value) }
  mutating func encode(_ value: Int64) throws { try put(value) }
  mutating func encode(_ value: UInt) throws { try put(value) }
  mutating func encode(_ value: UInt8) throws { try put(value) }
  mutating func encode(_ value: UInt16) throws { try put(value) }
  mutating func encode(_ value: UInt32) throws { try put(value) }
  mutating func encode(_ value: UInt64) throws { try put(value) }
  mutating func encode(_ value: some Encodable) throws { try encoder.put(value, next()) }

  private mutating func put(_ integer: some FixedWidthInteger) throws {
    try encoder.put(next()) { try $0.value(integer) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.values.fail(encoder.wrongShape("a keyed container in an unkeyed container"))
    return KeyedEncodingContainer(DiscardingKeyedEncoding())
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.values.fail(encoder.wrongShape("an unkeyed container in another one"))
    return DiscardingEncoding()
  }

  mutating func superEncoder() -> any Encoder {
    encoder.values.fail(encoder.wrongShape("the values of a superclass"))
    return DiscardingEncoding()
  }
}

// MARK: After a failure

/// A container that discards values after a failure, which is reported at the end of the encoding.
struct DiscardingKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  var codingPath: [any CodingKey] { [] }
  mutating func encodeNil(forKey key: Key) throws {}
  mutating func encode(_ value: some Encodable, forKey key: Key) throws {}
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(DiscardingKeyedEncoding<Nested>()) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    DiscardingEncoding()
  }
  mutating func superEncoder() -> any Encoder { DiscardingEncoding() }
  mutating func superEncoder(forKey key: Key) -> any Encoder { DiscardingEncoding() }
}

/// An encoder that discards values after a failure, which is reported at the end of the encoding.
struct DiscardingEncoding: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  private(set) var count = 0
  mutating func encodeNil() throws {}
  mutating func encode(_ value: some Encodable) throws { count += 1 }
  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(DiscardingKeyedEncoding())
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(DiscardingKeyedEncoding()) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  mutating func superEncoder() -> any Encoder { self }
}

/// Encodes and decodes values as JSON text.
enum JSONForm {
  /// Returns the JSON text of a value. Infinities and NaN are written as names. The keys are
  /// sorted. Otherwise, their order would depend on the process.
  ///
  /// - Throws: The error of the value's `Encodable` implementation, or `ModelValueError` with code
  ///   `.refused` if the text could not be read back.
  static func data(of value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    let data = try encoder.encode(value)
    try requireReadable(data)
    return data
  }

  /// Throws an error if a text that `JSONEncoder` has written contains NaN, which `JSONDecoder`
  /// cannot read.
  private static func requireReadable(_ data: Data) throws(ModelValueError) {
    var (isInString, isEscaped) = (false, false)
    for byte in data {
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "N") {
        // JSONEncoder writes a decimal number that is NaN without quotation marks.
        throw ModelValueError(.refused, "A Decimal that is NaN cannot be stored as JSON text.")
      }
    }
  }

  static func value<Content: Decodable>(_ type: Content.Type, in data: Data) throws -> Content {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return try decoder.decode(type, from: data)
  }
}
