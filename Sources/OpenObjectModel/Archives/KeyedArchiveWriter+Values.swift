internal import Foundation
internal import OpenPredicates

extension KeyedArchiveWriter {
  /// Writes a Foundation or Swift value and returns its reference; nil becomes the null reference.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` if compiled models cannot contain the value's
  ///   class.
  mutating func add(any: Any?) throws(ModelError) -> Int {
    try add(any: any, depth: 0)
  }

  private mutating func add(any: Any?, depth: Int) throws(ModelError) -> Int {
    guard let any else { return Self.null }
    guard depth < 64 else { throw .unarchivable("Values are nested too deeply.") }
    if any is NSNull { return add(plain: "NSNull") }
    if let dictionary = any as? [AnyHashable: Any] { return try add(dictionary, depth: depth) }
    if let set = any as? NSSet {
      return try add("NSSet", of: set.allObjects, depth, isSorted: true)
    }
    if let set = any as? Set<AnyHashable> {
      return try add("NSSet", of: set.map(\.base), depth, isSorted: true)
    }
    if !(any is String), let array = any as? [Any] {
      return try add("NSArray", of: array, depth, isSorted: false)
    }
    guard let value = Value(any: any) else {
      throw .unarchivable("A compiled model cannot contain a value of type \(type(of: any)).")
    }
    return try add(value)
  }

  /// Writes a value and returns its reference; null becomes the null reference.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` if the value refers to a managed object.
  mutating func add(_ value: Value) throws(ModelError) -> Int {
    switch value {
    case .null: return Self.null
    case .bool(let flag): return add(scalar: .bool(flag))
    case .int(let integer): return add(scalar: .int(integer))
    case .double(let real): return add(scalar: .real(real))
    case .string(let text): return add(text)
    case .data(let data): return add(scalar: .data(data))
    case .date(let seconds): return add("NSDate", [("NS.time", .real(seconds))])
    case .uuid(let uuid):
      let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
      return add("NSUUID", [("NS.uuidbytes", .data(bytes))])
    case .url(let url):
      let text = add(url.absoluteString)
      return add(
        "NSURL", [("NS.base", .reference(Self.null)), ("NS.relative", .reference(text))])
    case .decimal(let box): return add(ArchivedDecimal(NSDecimalNumber(decimal: box.decimal)))
    case .list(let values):
      var members: [Int] = []
      for value in values { members.append(try member(value)) }
      return add("NSArray", of: members)
    case .object: throw .unarchivable("A compiled model cannot contain a managed object.")
    }
  }

  /// Writes a member of a collection, for which null becomes an object.
  private mutating func member(_ value: Value) throws(ModelError) -> Int {
    value == .null ? add(plain: "NSNull") : try add(value)
  }

  private mutating func add(_ decimal: ArchivedDecimal) -> Int {
    add(
      "NSDecimalNumberPlaceholder",
      [
        ("NS.exponent", .int(decimal.exponent)), ("NS.length", .int(decimal.length)),
        ("NS.negative", .bool(decimal.isNegative)), ("NS.compact", .bool(false)),
        ("NS.mantissa.bo", .int(1)), ("NS.mantissa", .data(decimal.mantissa)),
      ])
  }

  private mutating func add(
    _ className: String, of members: [Any], _ depth: Int, isSorted: Bool
  ) throws(ModelError) -> Int {
    let ordered = isSorted ? members.sorted { "\($0)" < "\($1)" } : members
    var references: [Int] = []
    for member in ordered { references.append(try add(any: member, depth: depth + 1)) }
    return add(className, of: references)
  }

  private mutating func add(
    _ dictionary: [AnyHashable: Any], depth: Int
  ) throws(ModelError) -> Int {
    if dictionary.isEmpty { return emptyDictionary() }
    var entries: [(key: Int, value: Int)] = []
    for (key, value) in dictionary.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      entries.append(
        (
          key: try add(any: key.base, depth: depth + 1),
          value: try add(any: value, depth: depth + 1)
        ))
    }
    return add("NSDictionary", entries)
  }
}

extension ModelError {
  /// Creates the error for a model that cannot be written as a compiled model.
  static func unarchivable(_ reason: String) -> ModelError {
    ModelError(.unarchivable, "The model cannot be compiled. \(reason)")
  }
}
