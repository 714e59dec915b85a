internal import Foundation

/// The encoder for an object of the application, which collects the entries of one archived object.
///
/// An encoder is confined to one call of `encode(with:)`. An error, such as encoding without keys,
/// makes the archive fail.
final class ValueEncoder: NSCoder {
  private let archiver: ValueArchiver
  private(set) var entries: [(key: String, entry: KeyedArchiveWriter.Entry?)] = []
  private var places: [String: Int] = [:]

  init(_ archiver: ValueArchiver) { self.archiver = archiver }

  private func put(_ entry: KeyedArchiveWriter.Entry, _ key: String) {
    let key = ValueCoding.escaped(key)
    if let place = places[key] {
      entries[place].entry = entry
    } else {
      places[key] = entries.count
      entries.append((key, entry))
    }
  }

  private func fail(_ what: String) {
    archiver.note(.unarchivableValue("\(what) cannot be archived. Encode values with keys."))
  }

  override var allowsKeyedCoding: Bool { true }
  override var requiresSecureCoding: Bool { false }
  override var error: (any Error)? { nil }
  override func failWithError(_ error: any Error) {
    archiver.note(
      .unarchivableValue("Encoding an object of the application failed: \(error)"))
  }

  // MARK: By key

  override func encode(_ object: Any?, forKey key: String) {
    put(.reference(archiver.referenceForCoder(to: object)), key)
  }

  override func encodeConditionalObject(_ object: Any?, forKey key: String) {
    encode(object, forKey: key)
  }

  override func encode(_ value: Bool, forKey key: String) { put(.bool(value), key) }
  override func encode(_ value: Int32, forKey key: String) { put(.int(Int(value)), key) }
  override func encode(_ value: Int64, forKey key: String) { put(.int(Int(value)), key) }
  override func encode(_ value: Int, forKey key: String) { put(.int(value), key) }
  override func encode(_ value: Float, forKey key: String) { put(.real(Double(value)), key) }
  override func encode(_ value: Double, forKey key: String) { put(.real(value), key) }

  override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
    put(.data(bytes.map { Data(bytes: $0, count: length) } ?? Data()), key)
  }

  // MARK: Without keys

  override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) {
    fail("A value without a key")
  }

  override func encode(_ data: Data) { fail("Data without a key") }
  override func encode(_ object: Any?) { fail("An object without a key") }
  override func encodePropertyList(_ list: Any) { fail("A property list without a key") }
}

/// The form of an object's keys in archives.
enum ValueCoding {
  /// Returns a key in the form of archives, which reserve keys that begin with a dollar sign.
  static func escaped(_ key: String) -> String { key.hasPrefix("$") ? "$" + key : key }
}
