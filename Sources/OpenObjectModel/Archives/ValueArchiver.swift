internal import Foundation
internal import OpenPredicates

/// Writes one value of a transformable attribute.
///
/// An archiver is confined to one call. Equal values produce equal archives unless they contain
/// objects of the application.
final class ValueArchiver {
  var archive = KeyedArchiveWriter()
  /// Whether an object of the application was written.
  private(set) var hasObjects = false
  private let classes: [any NSCoding.Type]
  private var depth = 0
  /// The number of the application's objects that are currently encoding themselves.
  private var openObjects = 0
  /// The application's objects with a reference, retained so that their addresses are not reused.
  private var written: [ObjectIdentifier: (object: AnyObject, reference: Int)] = [:]
  /// The first failure inside an object's `encode(with:)`, which cannot throw.
  private var failure: ModelError?

  init(allowing classes: [any NSCoding.Type]) { self.classes = classes }

  func data(of value: Any) throws(ModelError) -> Data {
    let root = try reference(to: value)
    if let failure { throw failure }
    return archive.data(root: root)
  }

  /// Writes a value for an object that encodes itself; a failure is reported at the end.
  func referenceForCoder(to value: Any?) -> Int {
    do { return try reference(to: value) } catch {
      note(error)
      return KeyedArchiveWriter.null
    }
  }

  func note(_ error: ModelError) { failure = failure ?? error }

  /// Writes a value and returns its reference; nil becomes the null reference.
  ///
  /// - Throws: `ModelError` with code `.unarchivable` for a value that could not be read back.
  func reference(to value: Any?) throws(ModelError) -> Int {
    guard let value else { return KeyedArchiveWriter.null }
    guard depth < ValueArchive.greatestDepth else { throw .deeplyNested }
    depth += 1
    defer { depth -= 1 }
    // Collections are detected before a value is bridged to an object, because bridging recurses as
    // deeply as the collection.
    return type(of: value) is AnyObject.Type ? try object(value as AnyObject) : try plain(value)
  }

  // MARK: Values of Swift

  private func plain(_ value: Any) throws(ModelError) -> Int {
    if let text = value as? String { return archive.add(text) }
    if let array = value as? [Any] { return try list("NSArray", array) }
    if let dictionary = value as? [AnyHashable: Any] {
      return try entries("NSDictionary", dictionary.map { ($0.key.base, $0.value) })
    }
    if let set = value as? Set<AnyHashable> {
      return try list("NSSet", Self.sorted(set.map(\.base)))
    }
    return try scalar(value)
  }

  private func scalar(_ value: Any) throws(ModelError) -> Int {
    switch Value(any: value) {
    case .null?: return KeyedArchiveWriter.null
    case .decimal(let box)?: return try decimal(box, value)
    case .url(let url)?: return try reference(to: url)
    case .object?, .list?, nil: break
    case let plain?: return try archive.add(plain)
    }
    guard let object = value as? NSObject else { throw Self.unsupported(value) }
    return try foundation(object)
  }

  /// Archives a decimal number, or an unsigned integer that exceeds the range of `Int64`.
  private func decimal(_ box: DecimalValue, _ value: Any) throws(ModelError) -> Int {
    if !(value is Decimal || value is NSDecimalNumber), let number = value as? NSNumber {
      return archive.add(scalar: .unsigned(number.uint64Value))
    }
    return try archive.add(.decimal(box))
  }

  private func reference(to url: URL) throws(ModelError) -> Int {
    guard URL(string: url.relativeString, relativeTo: url.baseURL) != nil else {
      throw .unarchivableValue("A URL with an empty or invalid string cannot be archived.")
    }
    let base = try url.baseURL.map { url throws(ModelError) in try reference(to: url) }
    return archive.add(
      "NSURL",
      [
        ("NS.base", .reference(base ?? KeyedArchiveWriter.null)),
        ("NS.relative", .reference(archive.add(url.relativeString))),
      ])
  }

  // MARK: Objects

  private func object(_ object: AnyObject) throws(ModelError) -> Int {
    switch object {
    case is NSNull: return archive.add(plain: "NSNull")
    case let text as NSMutableString:
      let number = archive.add(scalar: .string(text as String))
      return archive.add("NSMutableString", [("NS.string", .reference(number))])
    case let data as NSMutableData:
      return archive.add("NSMutableData", [("NS.data", .data(data as Data))])
    case is NSCountedSet: throw Self.unsupported(object)
    case let array as NSMutableArray: return try list("NSMutableArray", array.map { $0 })
    case let array as NSArray: return try list("NSArray", array.map { $0 })
    case let set as NSMutableSet: return try list("NSMutableSet", Self.sorted(set.allObjects))
    case let set as NSSet: return try list("NSSet", Self.sorted(set.allObjects))
    case let set as NSMutableOrderedSet: return try ordered("NSMutableOrderedSet", set.array)
    case let set as NSOrderedSet: return try ordered("NSOrderedSet", set.array)
    case let dictionary as NSMutableDictionary:
      return try entries("NSMutableDictionary", dictionary.map { ($0.key, $0.value) })
    case let dictionary as NSDictionary:
      return try entries("NSDictionary", dictionary.map { ($0.key, $0.value) })
    default: return try single(object)
    }
  }

  /// Writes an object that is not a collection.
  private func single(_ object: AnyObject) throws(ModelError) -> Int {
    if let type = classes.first(where: { $0 == Swift.type(of: object) }) {
      return try coded(object, type)
    }
    let isPlain =
      object is NSNumber || object is NSString || object is NSDate || object is NSData
      || object is NSUUID || object is NSURL
    if isPlain { return try scalar(object) }
    if openObjects > 0, let type = Self.codableType(of: object) { return try coded(object, type) }
    guard let object = object as? NSObject else { throw Self.unsupported(object) }
    return try foundation(object)
  }

  /// Returns the class of an object that an application's object encodes; only the encoding object
  /// knows which classes it decodes.
  private static func codableType(of object: AnyObject) -> (any NSCoding.Type)? {
    guard let type = Swift.type(of: object) as? any NSCoding.Type,
      let name = ValueArchive.name(of: type), !name.hasPrefix("Foundation.")
    else { return nil }
    return type
  }

  /// Writes an object that encodes itself.
  private func coded(_ object: AnyObject, _ type: any NSCoding.Type) throws(ModelError) -> Int {
    if let known = written[ObjectIdentifier(object)] { return known.reference }
    guard let name = ValueArchive.name(of: type), let codable = object as? any NSCoding else {
      throw Self.unsupported(object)
    }
    hasObjects = true
    let reference = archive.reserve()
    written[ObjectIdentifier(object)] = (object, reference)
    let coder = ValueEncoder(self)
    openObjects += 1
    codable.encode(with: coder)
    openObjects -= 1
    archive.set(reference, name, coder.entries)
    return reference
  }

  // MARK: Collections

  private func list(_ className: String, _ members: [Any]) throws(ModelError) -> Int {
    archive.add(className, of: try references(to: members))
  }

  private func references(to members: [Any]) throws(ModelError) -> [Int] {
    var references: [Int] = []
    references.reserveCapacity(members.count)
    for member in members {
      let reference = try reference(to: member)
      guard reference != KeyedArchiveWriter.null else {
        throw .unarchivableValue("A collection contains nil. Use NSNull instead.")
      }
      references.append(reference)
    }
    return references
  }

  private func ordered(_ className: String, _ members: [Any]) throws(ModelError) -> Int {
    let references = try references(to: members)
    return archive.add(
      className,
      references.enumerated().map { ("NS.object.\($0.offset)", .reference($0.element)) })
  }

  private func entries(
    _ className: String, _ entries: [(key: Any, value: Any)]
  ) throws(ModelError) -> Int {
    let sorted =
      entries.map { (text: Self.text($0.key), entry: $0) }.sorted { $0.text < $1.text }.map(\.entry)
    let keys = try references(to: sorted.map(\.key))
    let values = try references(to: sorted.map(\.value))
    return archive.add(className, zip(keys, values).map { (key: $0, value: $1) })
  }

  /// Returns members in a fixed order, so that equal sets produce equal archives.
  private static func sorted(_ members: [Any]) -> [Any] {
    members.map { (text: text($0), member: $0) }.sorted { $0.text < $1.text }.map(\.member)
  }

  /// Returns the string by which members of sets and keys are sorted; collections all compare
  /// equal.
  private static func text(_ value: Any) -> String {
    guard let value = Value(any: value) else { return "" }
    if case .list = value { return "" }
    return "\(value)"
  }

  static func unsupported(_ value: Any) -> ModelError {
    if let type = Swift.type(of: value) as? any NSCoding.Type, ValueArchive.name(of: type) == nil,
      !String(reflecting: type).hasPrefix("Foundation.")
    {
      return .unarchivableValue(
        "Objects of the class \(type) cannot be archived, because the class is private, generic or declared "
          + "inside a function, and therefore has no stable name. Declare the class at file level, "
          + "without private.")
    }
    return .unarchivableValue(
      "A value of type \(type(of: value)) cannot be archived. A class of the application must conform to "
        + "NSCoding and must be the attribute's class in the model (attributeValueClassName).")
  }
}
