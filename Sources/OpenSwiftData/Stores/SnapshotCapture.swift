/// An encoder that collects the values of a custom snapshot without converting them.
struct SnapshotCapture: Encoder {
  /// The values that the snapshot has encoded.
  private final class Captured {
    var values: [String: any Encodable] = [:]
    var failure: EncodingError?
  }

  private let captured = Captured()
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Returns the values of a snapshot, by the names of their properties.
  ///
  /// - Throws: The error of the snapshot; `EncodingError` if the snapshot does not encode each
  ///   value under a key.
  static func values(of snapshot: some DataStoreSnapshot) throws -> [String: any Encodable] {
    let capture = SnapshotCapture()
    try snapshot.encode(to: capture)
    if let failure = capture.captured.failure { throw failure }
    return capture.captured.values
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Keyed<Key>(captured: captured))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { refuse() }
  func singleValueContainer() -> any SingleValueEncodingContainer { refuse() }

  private func refuse() -> Refusal {
    captured.failure = Refusal.error
    return Refusal()
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let captured: Captured
    var codingPath: [any CodingKey] { [] }

    private func put(_ value: any Encodable, _ key: Key) {
      captured.values[key.stringValue] = value
    }

    mutating func encodeNil(forKey key: Key) {}
    mutating func encode(_ value: Bool, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: String, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: Double, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: Float, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: Int, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: Int8, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: Int16, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: Int32, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: Int64, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: UInt, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: UInt8, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: UInt16, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: UInt32, forKey key: Key) { put(value, key) }
    mutating func encode(_ value: UInt64, forKey key: Key) { put(value, key) }
    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) { put(value, key) }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy keyType: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      captured.failure = Refusal.error
      return KeyedEncodingContainer(Keyed<Nested>(captured: Captured()))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      captured.failure = Refusal.error
      return Refusal()
    }

    mutating func superEncoder() -> any Encoder { refusedEncoder() }
    mutating func superEncoder(forKey key: Key) -> any Encoder { refusedEncoder() }

    private func refusedEncoder() -> any Encoder {
      captured.failure = Refusal.error
      return SnapshotCapture()
    }
  }
}

/// A container that throws an error for every value.
struct Refusal: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  static let error = EncodingError.invalidValue(
    0,
    EncodingError.Context(
      codingPath: [],
      debugDescription:
        "A snapshot must encode each property as one value under the property's key."))

  let codingPath: [any CodingKey] = []
  let count = 0

  mutating func encodeNil() throws { throw Self.error }
  mutating func encode<Value: Encodable>(_ value: Value) throws { throw Self.error }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { SnapshotCapture().container(keyedBy: keyType) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { Refusal() }
  mutating func superEncoder() -> any Encoder { SnapshotCapture() }
}
