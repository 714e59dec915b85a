package import Foundation

/// What a keyed archive holds, looked up by reference; no class named in the file is ever made.
///
/// Shared: immutable after reading. Objects are decoded on request, so references that go in
/// circles do no harm.
package final class KeyedArchive: Sendable {
  /// Class name and ancestors of an archived object, the class itself first.
  private typealias Lineage = [String]

  private let list: BinaryPropertyList
  /// Places of the archived objects in the list, by reference.
  private let places: [Int]
  private let lineages: [Int: Lineage]
  private let top: Int

  /// Reads an archive.
  ///
  /// - Throws: `ModelError` with code `.malformed` when the data is no keyed archive, or a damaged one.
  package init(_ data: Data) throws(ModelError) {
    let list = try BinaryPropertyList(data)
    guard let archiver = list.value("$archiver", in: list.root),
      list[archiver] == .string("NSKeyedArchiver"),
      let objects = list.value("$objects", in: list.root), case .array(let places)? = list[objects],
      let top = list.value("$top", in: list.root)
    else { throw .damaged("it is no keyed archive") }
    self.list = list
    self.places = places
    self.top = top
    lineages = try Self.lineages(list, places)
  }

  /// The object that was archived.
  ///
  /// - Throws: `ModelError` with code `.malformed` when there is none.
  package func root() throws(ModelError) -> ArchivedObject {
    guard case .object(let object) = try rootValue() else {
      throw .damaged("its outermost object is missing")
    }
    return object
  }

  /// What was archived, an object with a class or a plain value.
  func rootValue() throws(ModelError) -> ArchivedValue {
    guard let number = list.value("root", in: top) else {
      throw .damaged("its outermost object is missing")
    }
    return try value(at: number)
  }

  /// The Foundation value that was archived: texts, numbers, dates, data, UUIDs, URLs, and collections of
  /// them; no class that the data names is ever made.
  ///
  /// - Returns: nil for null and for an object of a class unknown here.
  /// - Throws: `ModelError` with code `.malformed` when the data is no keyed archive, or a damaged one.
  package static func foundationValue(in data: Data) throws(ModelError) -> Any? {
    var contents = ArchivedContents()
    return try contents.any(KeyedArchive(data).rootValue())
  }

  /// The class of every object that has one, by reference.
  private static func lineages(
    _ list: BinaryPropertyList, _ places: [Int]
  ) throws(ModelError) -> [Int: Lineage] {
    var classes: [UInt64: Lineage] = [:]
    var found: [Int: Lineage] = [:]
    for (reference, place) in places.enumerated() {
      guard let number = list.value("$class", in: place) else { continue }
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

  /// What stands at a place of the list, with references followed.
  func value(at number: Int) throws(ModelError) -> ArchivedValue {
    guard case .uid(let uid)? = list[number] else { return try scalar(number) }
    guard uid < UInt64(places.count) else {
      throw .damaged("it refers to an object that is not there")
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
      throw .damaged("it has a collection without a class")
    }
  }

  /// Class and ancestors of an object.
  func lineage(of reference: Int) -> [String] { lineages[reference] ?? [] }

  /// The place of an object's value; nil when the object has no such key.
  func place(of key: String, in reference: Int) -> Int? {
    places.indices.contains(reference) ? list.value(key, in: places[reference]) : nil
  }

  /// The places of all of an object's values, by key.
  func places(in reference: Int) -> [String: Int] {
    guard places.indices.contains(reference) else { return [:] }
    return list.places(in: places[reference])
  }

  /// The members of a collection that is written into the object itself.
  func members(at number: Int) -> [Int]? {
    if case .array(let members)? = list[number] { members } else { nil }
  }
}

/// A value in a keyed archive.
package enum ArchivedValue: Sendable {
  /// No object.
  case null
  /// A truth value.
  case bool(Bool)
  /// An integer.
  case int(Int64)
  /// An integer beyond the range of those with sign.
  case unsigned(UInt64)
  /// A floating-point number.
  case real(Double)
  /// Seconds since 2001-01-01 UTC.
  case date(Double)
  /// Bytes.
  case data(Data)
  /// A text.
  case string(String)
  /// An object with a class.
  case object(ArchivedObject)
}
