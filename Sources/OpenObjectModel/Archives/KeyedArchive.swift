package import Foundation

/// The objects of a keyed archive, identified by their numbers. Classes named in the archive are
/// never instantiated.
///
/// An archive is immutable after reading, and any thread may use it. Objects are decoded on
/// request, so circular references are harmless.
package final class KeyedArchive: Sendable {
  /// The names of an archived object's class and its ancestors, with the class first.
  private typealias Lineage = [String]

  private let list: BinaryPropertyList
  /// The positions of the archived objects in the list, by reference.
  private let places: [Int]
  private let lineages: [Int: Lineage]
  private let top: Int

  /// Reads an archive.
  ///
  /// - Throws: `ModelError` with code `.malformed` if the data is not a keyed archive, or is
  ///   damaged.
  package init(_ data: Data) throws(ModelError) {
    let list = try BinaryPropertyList(data)
    guard let archiver = list.value("$archiver", in: list.root),
      list[archiver] == .string("NSKeyedArchiver"),
      let objects = list.value("$objects", in: list.root), case .array(let places)? = list[objects],
      let top = list.value("$top", in: list.root)
    else { throw .damaged("it is not a keyed archive") }
    self.list = list
    self.places = places
    self.top = top
    lineages = try Self.lineages(list, places)
  }

  /// Returns the root object of the archive.
  ///
  /// - Throws: `ModelError` with code `.malformed` if there is no root object.
  package func root() throws(ModelError) -> ArchivedObject {
    guard case .object(let object) = try rootValue() else {
      throw .damaged("its root object is missing")
    }
    return object
  }

  /// Returns the root value of the archive, an object with a class or a plain value.
  func rootValue() throws(ModelError) -> ArchivedValue {
    guard let number = list.value("root", in: top) else {
      throw .damaged("its root object is missing")
    }
    return try value(at: number)
  }

  /// Returns the Foundation value in an archive.
  ///
  /// The value may be a string, a number, a date, data, a UUID, a URL, or a collection of such
  /// values. Classes named in the data are never instantiated.
  ///
  /// - Returns: The value; nil for null and for an object of an unknown class.
  /// - Throws: `ModelError` with code `.malformed` if the data is not a keyed archive, or is
  ///   damaged.
  package static func foundationValue(in data: Data) throws(ModelError) -> Any? {
    var contents = ArchivedContents()
    return try contents.any(KeyedArchive(data).rootValue())
  }

  /// Returns the class and ancestors of every object with a class, by reference.
  private static func lineages(
    _ list: BinaryPropertyList, _ places: [Int]
  ) throws(ModelError) -> [Int: Lineage] {
    var classes: [UInt64: Lineage] = [:]
    var found: [Int: Lineage] = [:]
    // Each object is searched only once, because an object can have many keys and many references.
    var numbers: [Int: Int] = [:]
    for place in Set(places) { numbers[place] = list.value("$class", in: place, searching: .max) }
    for (reference, place) in places.enumerated() {
      guard let number = numbers[place] else { continue }
      guard case .uid(let uid)? = list[number] else {
        throw .damaged("an object has no class")
      }
      if classes[uid] == nil { classes[uid] = try lineage(list, places, uid) }
      found[reference] = classes[uid]
    }
    return found
  }

  private static func lineage(
    _ list: BinaryPropertyList, _ places: [Int], _ uid: UInt64
  ) throws(ModelError) -> Lineage {
    guard uid < UInt64(places.count), let number = list.value("$classname", in: places[Int(uid)]),
      case .string(let name)? = list[number]
    else { throw .damaged("an object has no class") }
    guard let ancestors = list.value("$classes", in: places[Int(uid)]),
      case .array(let members)? = list[ancestors]
    else { return [name] }
    let names = members.prefix(32).compactMap { member -> String? in
      if case .string(let ancestor)? = list[member] { ancestor } else { nil }
    }
    return names.first == name ? names : [name] + names
  }

  // MARK: Objects

  /// Returns the value at a position of the list, following references.
  func value(at number: Int) throws(ModelError) -> ArchivedValue {
    guard case .uid(let uid)? = list[number] else { return try scalar(number) }
    guard uid < UInt64(places.count) else {
      throw .damaged("it refers to an object that does not exist")
    }
    if uid == 0 { return .null }
    let reference = Int(uid)
    if lineages[reference] != nil {
      return .object(ArchivedObject(archive: self, reference: reference))
    }
    if case .string("$null")? = list[places[reference]] { return .null }
    return try scalar(places[reference])
  }

  private func scalar(_ number: Int) throws(ModelError) -> ArchivedValue {
    switch list[number] {
    case .null?: .null
    case .bool(let flag)?: .bool(flag)
    case .int(let value)?: .int(value)
    case .unsigned(let value)?: .unsigned(value)
    case .real(let value)?: .real(value)
    case .date(let seconds)?: .date(seconds)
    case .data(let data)?: .data(data)
    case .string(let text)?: .string(text)
    case .uid?, .array?, .dictionary?, nil:
      throw .damaged("it contains a collection without a class")
    }
  }

  /// Returns the names of an object's class and its ancestors.
  func lineage(of reference: Int) -> [String] { lineages[reference] ?? [] }

  /// Returns the position of an object's value; nil if the object has no such key.
  func place(of key: String, in reference: Int) -> Int? {
    places.indices.contains(reference) ? list.value(key, in: places[reference]) : nil
  }

  /// Returns the positions of all values of an object, by key.
  func places(in reference: Int) -> [String: Int] {
    guard places.indices.contains(reference) else { return [:] }
    return list.places(in: places[reference])
  }

  /// Returns the members of a collection that the object itself contains.
  func members(at number: Int) -> [Int]? {
    if case .array(let members)? = list[number] { members } else { nil }
  }
}

/// A value in a keyed archive.
package enum ArchivedValue: Sendable {
  /// No object.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// An integer that exceeds the range of `Int64`.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// A date, in seconds since 2001-01-01 UTC.
  case date(Double)
  /// Bytes.
  case data(Data)
  /// A string.
  case string(String)
  /// An archived instance of a class, including arrays, sets and dictionaries.
  case object(ArchivedObject)
}
