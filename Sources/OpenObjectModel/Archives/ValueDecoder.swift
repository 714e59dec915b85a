internal import Foundation

/// The decoder for an object of the application, which contains the entries of one archived object.
///
/// A decoder is confined to one call of `init(coder:)`. An absent key is read as nil, zero or
/// false. A value of another type is also read as nil, zero or false, but makes the whole archive
/// unreadable.
final class ValueDecoder: NSCoder {
  private let unarchiver: ValueUnarchiver
  private let object: ArchivedObject
  /// The positions of the values, by key.
  private let places: [String: Int]

  init(_ unarchiver: ValueUnarchiver, _ object: ArchivedObject) {
    self.unarchiver = unarchiver
    self.object = object
    places = object.archive.places(in: object.reference)
  }

  private func value(_ key: String) -> ArchivedValue? {
    guard let place = places[ValueCoding.escaped(key)] else { return nil }
    do { return try object.archive.value(at: place) } catch {
      unarchiver.note(error)
      return nil
    }
  }

  private func mismatch(_ key: String) { unarchiver.note(object.mismatch(key)) }

  private func integer(_ key: String) -> Int64 {
    switch value(key) {
    case nil, .null?: return 0
    case .int(let integer)?: return integer
    case .bool(let flag)?: return flag ? 1 : 0
    default:
      mismatch(key)
      return 0
    }
  }

  private func narrow<Integer: FixedWidthInteger>(_ key: String) -> Integer {
    let wide = integer(key)
    if Integer(exactly: wide) == nil { mismatch(key) }
    return Integer(clamping: wide)
  }

  private func real(_ key: String) -> Double {
    switch value(key) {
    case .real(let number)?: number
    default: Double(integer(key))
    }
  }

  override var allowsKeyedCoding: Bool { true }
  override var requiresSecureCoding: Bool { true }
  override var error: (any Error)? { unarchiver.failure }
  override var allowedClasses: [AnyClass]? { nil }
  override func failWithError(_ error: any Error) {
    unarchiver.note(
      .unarchivableValue(
        "Decoding an object of the class \(object.className) failed: \(error)"))
  }

  // MARK: Objects by key

  override func containsValue(forKey key: String) -> Bool {
    places[ValueCoding.escaped(key)] != nil
  }

  override func decodeObject(forKey key: String) -> Any? { decoded(key, []) }
  override func decodePropertyList(forKey key: String) -> Any? { decoded(key, []) }

  override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
    let value = decoded(key, (classes ?? []).compactMap { $0 as? any NSCoding.Type })
    guard let classes, let value, let object = value as? NSObject else { return value }
    if classes.contains(where: { object.isKind(of: $0) }) { return value }
    mismatch(key)
    return nil
  }

  override func decodeObject<Wanted: NSCoding>(
    of type: Wanted.Type, forKey key: String
  ) -> Wanted? where Wanted: NSObject {
    guard let value = decoded(key, [type]) else { return nil }
    if let wanted = value as? Wanted { return wanted }
    mismatch(key)
    return nil
  }

  private func decoded(_ key: String, _ classes: [any NSCoding.Type]) -> Any? {
    value(key).flatMap { unarchiver.valueForCoder($0, allowing: classes) }
  }

  // MARK: Numbers and bytes by key

  override func decodeBool(forKey key: String) -> Bool { integer(key) != 0 }
  override func decodeCInt(forKey key: String) -> Int32 { narrow(key) }
  override func decodeInt32(forKey key: String) -> Int32 { narrow(key) }
  override func decodeInt64(forKey key: String) -> Int64 { integer(key) }
  override func decodeInteger(forKey key: String) -> Int { narrow(key) }
  override func decodeFloat(forKey key: String) -> Float { Float(real(key)) }
  override func decodeDouble(forKey key: String) -> Double { real(key) }

  override func withDecodedUnsafeBufferPointer<Result>(
    forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
  ) rethrows -> Result {
    guard case .data(let data)? = value(key) else { return try body(nil) }
    return try [UInt8](data).withUnsafeBufferPointer { try body($0) }
  }

  // MARK: Without keys

  private func failWithoutKey() {
    unarchiver.note(
      .unarchivableValue(
        "The class \(object.className) decodes values without keys, which is not supported."))
  }

  override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer)
  {
    failWithoutKey()
  }

  override func decodeObject() -> Any? {
    failWithoutKey()
    return nil
  }

  override func decodeData() -> Data? {
    failWithoutKey()
    return nil
  }

  override func decodePropertyList() -> Any? {
    failWithoutKey()
    return nil
  }
}
