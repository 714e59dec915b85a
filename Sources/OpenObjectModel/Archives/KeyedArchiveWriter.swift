internal import Foundation

/// Builds a keyed archive, with objects by reference and classes by name.
///
/// The same calls in the same order produce the same bytes. Equal strings and numbers are written
/// once.
struct KeyedArchiveWriter {
  /// The value of a key of an object.
  enum Entry {
    /// An object, by reference.
    case reference(Int)
    /// A Boolean value inside the object.
    case bool(Bool)
    /// An integer inside the object.
    case int(Int)
    /// A floating-point number inside the object.
    case real(Double)
    /// Bytes inside the object.
    case data(Data)
    /// Objects, by reference.
    case references([Int])
  }

  /// The null reference.
  static let null = 0

  /// The treatment of functions that are not part of the predicate language.
  let calls: ArchivedPredicates.Calls
  private var builder = PropertyListBuilder()
  /// The position of every object in the list; nil for objects that are only reserved.
  private var objects: [Int?]
  private var scalars: [PropertyListNode: Int] = [:]
  private var classes: [String: Int] = [:]
  private var shared: [String: Int] = [:]

  /// Creates an archive without objects.
  ///
  /// - Parameter calls: With `.methods`, a function that is not part of the predicate language is
  ///   written as a method of its first operand.
  init(calls: ArchivedPredicates.Calls = .functions) {
    self.calls = calls
    objects = [builder.add(.string("$null"))]
  }

  /// Reserves the reference of an object that is written later, so that other objects can refer to
  /// it.
  mutating func reserve() -> Int {
    objects.append(nil)
    return objects.count - 1
  }

  /// Writes an object with a reserved reference; entries without a value are omitted.
  mutating func set(
    _ reference: Int, _ className: String, _ entries: [(key: String, entry: Entry?)]
  ) {
    let classReference = self.reference(toClass: className)
    var written = [(key: "$class", value: builder.add(.uid(UInt64(classReference))))]
    for (key, entry) in entries {
      if let entry { written.append((key: key, value: add(entry))) }
    }
    objects[reference] = builder.add(written)
  }

  /// Writes an object and returns its reference.
  mutating func add(_ className: String, _ entries: [(key: String, entry: Entry?)]) -> Int {
    let reference = reserve()
    set(reference, className, entries)
    return reference
  }

  /// Writes an object that has a class but no values, and returns its reference.
  mutating func add(plain className: String) -> Int {
    let entries: [(key: String, entry: Entry?)] = []
    return add(className, entries)
  }

  /// Returns the reference of a string, number or bytes.
  mutating func add(scalar node: PropertyListNode) -> Int {
    if let known = scalars[node] { return known }
    objects.append(builder.add(node))
    scalars[node] = objects.count - 1
    return objects.count - 1
  }

  /// Returns the reference of a string; the null reference for nil.
  mutating func add(_ text: String?) -> Int {
    guard let text else { return Self.null }
    guard text == "$null" else { return add(scalar: .string(text)) }
    // As a plain string, it would be read as the null object.
    let number = builder.add(.string(text))
    let reference = reserve()
    let classReference = self.reference(toClass: "NSString")
    objects[reference] = builder.add([
      (key: "$class", value: builder.add(.uid(UInt64(classReference)))),
      (key: "NS.string", value: number),
    ])
    return reference
  }

  /// Writes an array or set, and returns its reference.
  mutating func add(_ className: String, of members: [Int]) -> Int {
    add(className, [("NS.objects", .references(members))])
  }

  /// Writes a dictionary, and returns its reference.
  mutating func add(_ className: String, _ entries: [(key: Int, value: Int)]) -> Int {
    add(
      className,
      [
        ("NS.keys", .references(entries.map(\.key))),
        ("NS.objects", .references(entries.map(\.value))),
      ])
  }

  /// Returns the reference of the expression `SELF`, which is written once.
  mutating func evaluatedObject() -> Int {
    shared("NSSelfExpression", [("NSExpressionType", .int(1))])
  }

  /// Returns the reference of an empty dictionary, which is written once.
  mutating func emptyDictionary() -> Int {
    shared("NSDictionary", [("NS.keys", .references([])), ("NS.objects", .references([]))])
  }

  /// Returns the reference of an object that all its users share.
  private mutating func shared(
    _ className: String, _ entries: [(key: String, entry: Entry?)]
  ) -> Int {
    if let known = shared[className] { return known }
    let reference = add(className, entries)
    shared[className] = reference
    return reference
  }

  /// Returns the archive with the given root object.
  func data(root: Int) -> Data {
    var builder = builder
    let missing = builder.add(.string("$null"))
    let array = builder.add(.array(objects.map { $0 ?? missing }))
    let top = builder.add([(key: "root", value: builder.add(.uid(UInt64(root))))])
    let archive = builder.add([
      (key: "$version", value: builder.add(.int(100_000))),
      (key: "$archiver", value: builder.add(.string("NSKeyedArchiver"))),
      (key: "$top", value: top),
      (key: "$objects", value: array),
    ])
    return builder.list(root: archive).encoded()
  }

  private mutating func add(_ entry: Entry) -> Int {
    switch entry {
    case .reference(let reference): return builder.add(.uid(UInt64(reference)))
    case .bool(let flag): return builder.add(.bool(flag))
    case .int(let value): return builder.add(.int(Int64(value)))
    case .real(let value): return builder.add(.real(value))
    case .data(let data): return builder.add(.data(data))
    case .references(let references):
      return builder.add(.array(references.map { builder.add(.uid(UInt64($0))) }))
    }
  }

  private mutating func reference(toClass name: String) -> Int {
    if let known = classes[name] { return known }
    let ancestors = ArchivedClass.lineage(of: name).map { builder.add(.string($0)) }
    objects.append(
      builder.add([
        (key: "$classname", value: builder.add(.string(name))),
        (key: "$classes", value: builder.add(.array(ancestors))),
      ]))
    classes[name] = objects.count - 1
    return objects.count - 1
  }
}
