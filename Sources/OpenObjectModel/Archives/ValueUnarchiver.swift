internal import Foundation
internal import OpenPredicates

/// Reads one value of a transformable attribute.
///
/// An unarchiver is confined to one call. Every object of an unknown class is an error, because a
/// collection without that object would be a different value.
final class ValueUnarchiver {
  /// The decoding state of an object of the application.
  private enum Progress {
    case decoding
    case decoded(Any)
  }

  private let classes: [any NSCoding.Type]
  private var contents = ArchivedContents()
  private var depth = 0
  /// The number of values that may still be read. Without a limit, collections that share their
  /// members at every level could grow without bound.
  private var remaining: Int
  private var objects: [Int: Progress] = [:]
  /// The first failure inside an object's `init(coder:)`, which cannot throw.
  private(set) var failure: ModelError?

  /// Creates an unarchiver.
  ///
  /// - Parameters:
  ///   - classes: The classes of the application whose objects may be decoded.
  ///   - budget: The maximum number of values to read, in addition to a million.
  init(allowing classes: [any NSCoding.Type], budget: Int) {
    self.classes = classes
    remaining = 1_000_000 + budget
  }

  /// Returns the value as Foundation code expects it; nil for null.
  ///
  /// - Throws: `ModelError` with code `.malformed` for damaged data, or with code `.unarchivable`
  ///   for an object of a class that is neither known nor allowed.
  func value(_ value: ArchivedValue) throws(ModelError) -> Any? {
    let value = try any(value, allowing: classes)
    if let failure { throw failure }
    return value
  }

  /// Reads a value for an object that decodes itself; a failure is reported at the end.
  func valueForCoder(_ value: ArchivedValue, allowing others: [any NSCoding.Type]) -> Any? {
    do { return try any(value, allowing: classes + others) } catch {
      note(error)
      return nil
    }
  }

  func note(_ error: ModelError) { failure = failure ?? error }

  private func any(
    _ value: ArchivedValue, allowing classes: [any NSCoding.Type]
  ) throws(ModelError) -> Any? {
    remaining -= 1
    guard remaining > 0 else { throw .damaged("its values contain too many members") }
    guard depth <= ValueArchive.greatestDepth else { throw .deeplyNested }
    depth += 1
    defer { depth -= 1 }
    guard case .object(let object) = value else { return contents.scalar(value) }
    if object.className == "NSNull" { return NSNull() }
    if let collection = try collection(object, classes) { return collection }
    if let value = try foundation(object) { return value }
    if let type = classes.first(where: { ValueArchive.matches($0, object.className) }) {
      return try coded(object, type)
    }
    throw .unarchivableValue(
      "The archive contains an object of the class \(object.className), which is not the attribute's class in the "
        + "model (attributeValueClassName), or does not have the initializer init(coder:).")
  }

  /// Returns an object of the application, which decodes itself; repeated references return the
  /// same object.
  private func coded(
    _ object: ArchivedObject, _ type: any NSCoding.Type
  ) throws(ModelError) -> Any {
    switch objects[object.reference] {
    case .decoded(let known)?: return known
    case .decoding?:
      throw .unarchivableValue(
        "Objects of the class \(object.className) cannot be decoded, because they refer to each other in a cycle."
      )
    case nil: break
    }
    objects[object.reference] = .decoding
    let coder = ValueDecoder(self, object)
    guard let decoded = type.init(coder: coder) else {
      throw .unarchivableValue(
        "An object of the class \(object.className) cannot be decoded, because its initializer returned nil."
      )
    }
    objects[object.reference] = .decoded(decoded)
    return decoded
  }

  // MARK: Collections

  private func collection(
    _ object: ArchivedObject, _ classes: [any NSCoding.Type]
  ) throws(ModelError) -> Any? {
    if object.isKind(of: "NSCountedSet") { return nil }
    if let entries = try object.entries() {
      let dictionary = try dictionary(entries, classes)
      return object.className == "NSMutableDictionary"
        ? NSMutableDictionary(dictionary: dictionary) : dictionary
    }
    if object.isKind(of: "NSArray") {
      let members = try members(try object.members() ?? [], classes)
      return object.className == "NSMutableArray" ? NSMutableArray(array: members) : members
    }
    if object.isKind(of: "NSSet") {
      let members = try members(try object.members() ?? [], classes)
      return object.className == "NSMutableSet"
        ? NSMutableSet(array: members) : NSSet(array: members)
    }
    guard object.isKind(of: "NSOrderedSet") else { return nil }
    let members = try members(try object.numberedMembers(), classes)
    return object.className == "NSMutableOrderedSet"
      ? NSMutableOrderedSet(array: members) : NSOrderedSet(array: members)
  }

  private func members(
    _ values: [ArchivedValue], _ classes: [any NSCoding.Type]
  ) throws(ModelError) -> [Any] {
    var members: [Any] = []
    members.reserveCapacity(min(values.count, remaining))
    for value in values {
      guard let member = try any(value, allowing: classes) else {
        throw .damaged("a member of a collection is missing")
      }
      members.append(member)
    }
    return members
  }

  private func dictionary(
    _ entries: [(key: ArchivedValue, value: ArchivedValue)], _ classes: [any NSCoding.Type]
  ) throws(ModelError) -> [AnyHashable: Any] {
    var dictionary: [AnyHashable: Any] = [:]
    for entry in entries {
      guard let key = try any(entry.key, allowing: classes) as? AnyHashable,
        let value = try any(entry.value, allowing: classes)
      else { throw .damaged("a key or a value of a dictionary is missing") }
      dictionary[key] = value
    }
    return dictionary
  }

  // MARK: Foundation

  /// Returns a value of one of Foundation's classes; nil for an object of another class.
  private func foundation(_ object: ArchivedObject) throws(ModelError) -> Any? {
    switch object.className {
    case "NSMutableString":
      return try ArchivedValue.object(object).text().map { NSMutableString(string: $0) }
    case "NSMutableData":
      return (try contents.any(.object(object)) as? Data).map { NSMutableData(data: $0) }
    default: break
    }
    if let value = try contents.any(.object(object)) { return value }
    return try object.foundationStructure { value throws(ModelError) in
      try self.any(value, allowing: [])
    }
  }
}
