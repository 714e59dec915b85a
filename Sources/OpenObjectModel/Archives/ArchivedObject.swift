internal import Foundation

/// An object in a keyed archive: a class name, and values by key.
package struct ArchivedObject: Sendable {
  let archive: KeyedArchive
  /// The number that identifies the object in the archive.
  package let reference: Int

  /// The name of the object's class; empty if the archive names no class for the object.
  package var className: String { archive.lineage(of: reference).first ?? "" }

  /// Returns whether the object's class is the named class or a descendant of this class.
  package func isKind(of name: String) -> Bool {
    archive.lineage(of: reference).contains(name)
  }

  /// Returns the value for a key; nil if the object has no such key.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the value refers to a missing object.
  package func value(_ key: String) throws(ModelError) -> ArchivedValue? {
    guard let place = archive.place(of: key, in: reference) else { return nil }
    return try archive.value(at: place)
  }

  /// Returns the object for a key; nil if the key is absent or its value is null.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the value is not an object, or refers to a
  ///   missing object.
  package func object(_ key: String) throws(ModelError) -> ArchivedObject? {
    switch try value(key) {
    case nil, .null?: return nil
    case .object(let object)?: return object
    default: throw mismatch(key)
    }
  }

  /// Returns the object for a key; nil if the key is absent or its value is null.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - name: The name of the required class. An object of a descendant class is also accepted.
  /// - Throws: `ModelError` with code `.malformed` if the value is not an object, if the object has
  ///   another class, or if the object is missing.
  package func object(_ key: String, of name: String) throws(ModelError) -> ArchivedObject? {
    guard let object = try object(key) else { return nil }
    guard object.isKind(of: name) else { throw mismatch(key) }
    return object
  }

  /// Returns the string for a key; nil if the key is absent or its value is null.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the value has another type or refers to a
  ///   missing object.
  package func string(_ key: String) throws(ModelError) -> String? {
    guard let value = try value(key) else { return nil }
    if case .null = value { return nil }
    guard let text = try value.text() else { throw mismatch(key) }
    return text
  }

  /// Returns the string for a key; if the key is absent or null, the string inside the object of
  /// another key.
  ///
  /// - Throws: `ModelError` with code `.malformed` if a value has another type.
  func string(
    _ key: String, orOf objectKey: String, _ innerKey: String
  ) throws(ModelError) -> String? {
    if let text = try string(key) { return text }
    return try object(objectKey)?.string(innerKey)
  }

  /// Returns the integer for a key; nil if the key is absent or its value is null.
  ///
  /// A Boolean value is returned as 1 or 0. An integer outside the range of `Int64` is truncated to
  /// its lowest 64 bits.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the value has another type or refers to a
  ///   missing object.
  package func integer(_ key: String) throws(ModelError) -> Int? {
    switch try value(key) {
    case nil, .null?: return nil
    case .int(let value)?: return Int(value)
    case .bool(let flag)?: return flag ? 1 : 0
    case .unsigned(let value)?: return Int(truncatingIfNeeded: value)
    default: throw mismatch(key)
    }
  }

  /// Returns the Boolean value of a key; `false` if the key is absent or its value is null.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the value has another type or refers to a
  ///   missing object.
  package func flag(_ key: String) throws(ModelError) -> Bool {
    try integer(key).map { $0 != 0 } ?? false
  }

  /// Returns the members of the array or set of a key; nil if the key is absent or its value is
  /// null.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the value has another type or refers to a
  ///   missing object.
  package func members(_ key: String) throws(ModelError) -> [ArchivedValue]? {
    guard let collection = try object(key) else { return nil }
    guard let members = try collection.members() else { throw mismatch(key) }
    return members
  }

  /// Returns the entries of the dictionary of a key; nil if the key is absent or its value is null.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the value has another type or refers to a
  ///   missing object.
  package func entries(
    _ key: String
  ) throws(ModelError) -> [(key: ArchivedValue, value: ArchivedValue)]? {
    guard let dictionary = try object(key) else { return nil }
    guard let entries = try dictionary.entries() else { throw mismatch(key) }
    return entries
  }

  // MARK: The object as a collection

  /// Returns the members if the object is an array or a set; otherwise nil.
  func members() throws(ModelError) -> [ArchivedValue]? {
    guard !isKind(of: "NSDictionary") else { return nil }
    return try values("NS.objects")
  }

  /// Returns the entries if the object is a dictionary in either form; otherwise nil.
  func entries() throws(ModelError) -> [(key: ArchivedValue, value: ArchivedValue)]? {
    if isKind(of: "NSKnownKeysDictionary") {
      let keys = try object("searchMapping")?.members("keys") ?? []
      return try paired(keys, try members("values") ?? [])
    }
    guard isKind(of: "NSDictionary") else { return nil }
    return try paired(try values("NS.keys") ?? [], try values("NS.objects") ?? [])
  }

  private func paired(
    _ keys: [ArchivedValue], _ values: [ArchivedValue]
  ) throws(ModelError) -> [(key: ArchivedValue, value: ArchivedValue)] {
    guard keys.count == values.count else {
      throw .damaged("a dictionary has different numbers of keys and values")
    }
    return zip(keys, values).map { (key: $0, value: $1) }
  }

  /// Returns the values of a list that the object itself contains.
  private func values(_ key: String) throws(ModelError) -> [ArchivedValue]? {
    guard let place = archive.place(of: key, in: reference),
      let numbers = archive.members(at: place)
    else { return nil }
    var values: [ArchivedValue] = []
    values.reserveCapacity(numbers.count)
    for number in numbers { values.append(try archive.value(at: number)) }
    return values
  }

  func mismatch(_ key: String) -> ModelError {
    .damaged(
      "the value of \(key) in an object of class \(className) does not have the expected type")
  }
}

extension ArchivedValue {
  /// Returns the string if the value is a string in any form; otherwise nil.
  func text() throws(ModelError) -> String? {
    switch self {
    case .string(let text): return text
    case .object(let object) where object.isKind(of: "NSString"):
      if case .string(let text)? = try object.value("NS.string") { return text }
      guard case .data(let bytes)? = try object.value("NS.bytes") else {
        throw object.mismatch("NS.string")
      }
      return String(decoding: bytes, as: UTF8.self)
    default: return nil
    }
  }

  /// The object if the value is an object; otherwise nil.
  var object: ArchivedObject? {
    if case .object(let object) = self { object } else { nil }
  }
}
