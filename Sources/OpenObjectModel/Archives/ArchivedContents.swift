internal import Foundation
internal import OpenPredicates

/// Converts archived Foundation values to Foundation values.
///
/// `remaining` counts down over all values that one reader decodes, so that collections that share
/// their members at every level cannot grow without bound.
struct ArchivedContents {
  private static let greatestDepth = 64
  private var remaining = 1_000_000

  /// Returns the value as Foundation code expects it; nil for null and for objects of unknown
  /// classes.
  ///
  /// - Throws: `ModelError` with code `.malformed` if a value is damaged or nested too deeply.
  mutating func any(_ value: ArchivedValue) throws(ModelError) -> Any? {
    try any(value, depth: 0)
  }

  private mutating func any(_ value: ArchivedValue, depth: Int) throws(ModelError) -> Any? {
    remaining -= 1
    guard depth < Self.greatestDepth, remaining > 0 else {
      throw .damaged("its values are nested too deeply")
    }
    if case .object(let object) = value { return try any(object, depth: depth) }
    return scalar(value)
  }

  /// Returns a value that is not an object of a class; nil for null.
  func scalar(_ value: ArchivedValue) -> Any? {
    switch value {
    case .null, .object: nil
    case .bool(let flag): NSNumber(value: flag)
    case .int(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let data): data
    case .string(let text): text
    }
  }

  private mutating func any(_ object: ArchivedObject, depth: Int) throws(ModelError) -> Any? {
    if let text = try ArchivedValue.object(object).text() { return text }
    if object.isKind(of: "NSDate") { return try date(object) }
    if object.isKind(of: "NSUUID") { return try uuid(object) }
    if object.isKind(of: "NSURL") { return try url(object, depth: 0) }
    if object.isKind(of: "NSData") { return try data(object) }
    if object.isKind(of: "NSDecimalNumber") { return try ArchivedDecimal(object).number }
    if object.isKind(of: "NSNull") { return NSNull() }
    if let entries = try object.entries() { return try dictionary(entries, depth) }
    guard ["NSArray", "NSSet", "NSOrderedSet"].contains(where: object.isKind) else { return nil }
    var members: [Any] = []
    for member in try object.members() ?? [] {
      if let member = try any(member, depth: depth + 1) { members.append(member) }
    }
    return object.isKind(of: "NSSet") ? NSSet(array: members) : members
  }

  private mutating func dictionary(
    _ entries: [(key: ArchivedValue, value: ArchivedValue)], _ depth: Int
  ) throws(ModelError) -> [AnyHashable: Any] {
    var dictionary: [AnyHashable: Any] = [:]
    for entry in entries {
      guard let key = try any(entry.key, depth: depth + 1) as? AnyHashable,
        let value = try any(entry.value, depth: depth + 1)
      else { continue }
      dictionary[key] = value
    }
    return dictionary
  }

  /// Returns the dictionary of a key, such as the user info; empty if the key is absent.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the dictionary is damaged.
  mutating func userInfo(
    _ key: String, of object: ArchivedObject
  ) throws(ModelError) -> [AnyHashable: Any] {
    try dictionary(try object.entries(key) ?? [], 0)
  }

  private func date(_ object: ArchivedObject) throws(ModelError) -> Date {
    switch try object.value("NS.time") {
    case .real(let seconds)?, .date(let seconds)?:
      return Date(timeIntervalSinceReferenceDate: seconds)
    case .int(let seconds)?: return Date(timeIntervalSinceReferenceDate: Double(seconds))
    default: throw object.mismatch("NS.time")
    }
  }

  private func uuid(_ object: ArchivedObject) throws(ModelError) -> UUID {
    guard case .data(let bytes)? = try object.value("NS.uuidbytes"), bytes.count == 16 else {
      throw object.mismatch("NS.uuidbytes")
    }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private func data(_ object: ArchivedObject) throws(ModelError) -> Data {
    if case .data(let bytes)? = try object.value("NS.data") { return bytes }
    guard case .data(let bytes)? = try object.value("NS.bytes") else {
      throw object.mismatch("NS.data")
    }
    return bytes
  }

  private func url(_ object: ArchivedObject, depth: Int) throws(ModelError) -> URL {
    guard depth < 8, let text = try object.string("NS.relative") else {
      throw object.mismatch("NS.relative")
    }
    let base = try object.object("NS.base", of: "NSURL")
    let baseURL: URL? = if let base { try url(base, depth: depth + 1) } else { nil }
    guard let url = URL(string: text, relativeTo: baseURL) else {
      throw object.mismatch("NS.relative")
    }
    return url
  }
}
