internal import Foundation
internal import Synchronization

/// How values of a type are stored: worked out once per type, from the type alone.
///
/// > Concurrency: Shared; immutable but for what composite forms remember of key types.
package final class StoredForm: Sendable {
  package enum Content: Sendable {
    /// One value of an attribute.
    case scalar(ScalarForm)
    /// A dictionary, each element in a separate column.
    case composite(CompositeForm)
    /// A collection of primitives, in a keyed archive of Foundation's collections.
    case archive
    /// The encoded value as JSON text.
    case json
  }

  /// The type without `Optional`.
  package let type: any Any.Type
  /// Whether the type was an optional one.
  package let isOptional: Bool
  package let content: Content

  init(_ type: any Any.Type, isOptional: Bool, _ content: Content) {
    self.type = type
    self.isOptional = isOptional
    self.content = content
  }

  /// The elements of a composite form.
  package var composite: CompositeForm? {
    if case .composite(let form) = content { return form }
    return nil
  }

  // MARK: By type

  private static let known = Mutex<[ObjectIdentifier: StoredForm]>([:])
  private static let whole = Mutex<[ObjectIdentifier: StoredForm]>([:])

  /// The form of a type's values.
  ///
  /// - Throws: `ModelValueError` with code `.unsupportedType` for a type that is not `Codable`.
  /// > Concurrency: Any thread.
  package static func of(_ type: any Any.Type) throws(ModelValueError) -> StoredForm {
    if let form = known.withLock({ $0[ObjectIdentifier(type)] }) { return form }
    var builder = StoredFormBuilder()
    let form = try builder.form(of: type)
    return known.withLock { forms in
      // Another thread may have been first; there is one form of each type, with what it remembers.
      if let first = forms[ObjectIdentifier(type)] { return first }
      forms[ObjectIdentifier(type)] = form
      return form
    }
  }

  /// The form of values that are stored as a whole, whatever their type: `@Attribute(.codable)`.
  ///
  /// - Throws: `ModelValueError` with code `.unsupportedType` for a type that is not `Codable`.
  /// > Concurrency: Any thread.
  package static func whole(_ type: any Any.Type) throws(ModelValueError) -> StoredForm {
    if let form = whole.withLock({ $0[ObjectIdentifier(type)] }) { return form }
    let (content, isOptional) = StoredFormBuilder.unwrapped(type)
    try StoredFormBuilder.requireCodable(content)
    let form = StoredForm(content, isOptional: isOptional, .json)
    whole.withLock { $0[ObjectIdentifier(type)] = form }
    return form
  }
}

/// Elements of a value, each stored in a separate column: the stored properties of a struct or the
/// cases of an enumeration.
///
/// Values of elements are kept in one list, in the order of the declarations; an element that is
/// composite itself has the places of its own elements in it.
///
/// > Concurrency: Shared; immutable but for what it remembers of key types.
package final class CompositeForm: Sendable {
  package enum Kind: Sendable {
    /// A struct, with an element for each stored property.
    case structure
    /// An enumeration with raw values: one element, named as the attribute.
    case rawValues
    /// An enumeration of cases without payload: an element for each case, which holds the name of
    /// the case.
    case cases
    /// An enumeration of cases with payload: an element for each case, which holds the encoded
    /// value.
    case payloads
  }

  package struct Element: Sendable {
    /// The name of the property or case; empty for the element of raw values.
    package let name: String
    /// Its type, `Optional` included.
    package let type: any Any.Type
    package let isOptional: Bool
    package let content: StoredForm.Content
    /// The place of its value, or of its first element's, in the list of values.
    package let place: Int
    /// How many places its values have.
    package let width: Int
  }

  package let type: any Any.Type
  package let kind: Kind
  package let elements: [Element]
  /// How many places the values of all elements have.
  package let width: Int
  private let positions: [String: Int]
  private let caseAddresses: [UnsafePointerBox]
  private let keyMaps = Mutex<[ObjectIdentifier: KeyMap]>([:])

  /// The address of a name in the program's constant data, which lasts as long as the program.
  struct UnsafePointerBox: Sendable, Equatable {
    let number: UInt
    init(_ pointer: UnsafePointer<CChar>) { number = UInt(bitPattern: pointer) }
  }

  init(
    _ type: any Any.Type, _ kind: Kind, _ elements: [Element],
    caseAddresses: [UnsafePointer<CChar>] = []
  ) {
    self.type = type
    self.kind = kind
    self.elements = elements
    width = elements.reduce(0) { $0 + $1.width }
    positions = Dictionary(elements.enumerated().map { ($1.name, $0) }) { first, _ in first }
    self.caseAddresses = caseAddresses.map { UnsafePointerBox($0) }
  }

  /// The names of the cases; nil for what is no enumeration of named cases.
  package var caseNames: [String]? {
    switch kind {
    case .structure, .rawValues: nil
    case .cases, .payloads: elements.map(\.name)
    }
  }

  package var isEnumeration: Bool {
    if case .structure = kind { return false }
    return true
  }

  /// The position of an element by name; a property wrapper's storage is found by the name of the
  /// property.
  func position(named name: String) -> Int? { positions[name] ?? positions["_" + name] }

  /// The position of the case that a value is.
  func position<Value>(ofCase value: Value) -> Int? {
    guard let address = runtimeCaseName(value) else { return nil }
    return caseAddresses.firstIndex(of: UnsafePointerBox(address))
  }

  /// The elements for the keys of a type; computed once per type of keys.
  func keyMap<Key: CodingKey>(_ type: Key.Type) -> KeyMap {
    keyMaps.withLock { maps in
      if let map = maps[ObjectIdentifier(type)] { return map }
      let map = KeyMap(type, of: self)
      maps[ObjectIdentifier(type)] = map
      return map
    }
  }

  /// The names of the leaves in the order of their places, as paths below the attribute.
  package func leafPaths(attributeName: String) -> [String] {
    elements.flatMap { element -> [String] in
      let name = kind.isRawValues ? attributeName : element.name
      guard case .composite(let inner) = element.content else { return [name] }
      return inner.leafPaths(attributeName: name).map { name + "." + $0 }
    }
  }
}

extension CompositeForm.Kind {
  var isRawValues: Bool {
    if case .rawValues = self { return true }
    return false
  }
}

/// The elements of a composite form for the keys of one type.
///
/// A key of a `CodingKeys` enumeration belongs to the property of the same name as its case,
/// whatever its text is: an element has the property's name, not the key's. Such keys are told
/// apart by their number, without their text.
struct KeyMap: Sendable {
  /// By the number of the case; -1 for a key without element.
  private let positions: [Int]

  init<Key: CodingKey>(_ type: Key.Type, of form: CompositeForm) {
    guard let keys = TypeFields(of: type), keys.kind == .enumeration,
      keys.fields.allSatisfy({ $0.type == nil }), keys.fields.count <= 256,
      MemoryLayout<Key>.size <= 1
    else {
      positions = []
      return
    }
    positions = keys.fields.map { form.position(named: $0.name) ?? -1 }
  }

  /// The position of a key's element.
  func position(of key: some CodingKey, in form: CompositeForm) -> Int? {
    if positions.isEmpty { return form.position(named: key.stringValue) }
    let number = withUnsafeBytes(of: key) { $0.first.map { Int($0) } ?? 0 }
    guard number < positions.count, positions[number] >= 0 else { return nil }
    return positions[number]
  }

  /// The key of an element.
  func key<Key: CodingKey>(for position: Int, in form: CompositeForm) -> Key? {
    if positions.isEmpty { return Key(stringValue: form.elements[position].name) }
    guard let number = positions.firstIndex(of: position) else { return nil }
    // Invariant: the type is an enumeration of more cases than the number, without payloads, in at most one byte.
    if MemoryLayout<Key>.size == 0 { return unsafeBitCast((), to: Key.self) }
    return unsafeBitCast(UInt8(number), to: Key.self)
  }
}
