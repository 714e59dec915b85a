internal import Foundation
internal import Synchronization

/// The form in which stores keep the values of a type. The library determines the form once for
/// each type.
///
/// > Concurrency: Any thread. The form is immutable, except for the caches of composite forms.
package final class StoredForm: Sendable {
  /// The kinds of stored forms.
  package enum Content: Sendable {
    /// A single value of an attribute, without encoding.
    case scalar(ScalarForm)
    /// A dictionary of elements, which are stored in separate columns.
    case composite(CompositeForm)
    /// A keyed archive of a collection of primitive values.
    case archive
    /// JSON text with the encoded value.
    case json
  }

  /// The type without `Optional`.
  package let type: any Any.Type
  /// Whether the type is optional.
  package let isOptional: Bool
  /// The kind and the details of the form.
  package let content: Content

  init(_ type: any Any.Type, isOptional: Bool, _ content: Content) {
    self.type = type
    self.isOptional = isOptional
    self.content = content
  }

  /// The composite form of the values; `nil` if the values have another form.
  package var composite: CompositeForm? {
    if case .composite(let form) = content { return form }
    return nil
  }

  // MARK: By type

  private static let known = Mutex<[ObjectIdentifier: StoredForm]>([:])
  private static let whole = Mutex<[ObjectIdentifier: StoredForm]>([:])

  /// Returns the form of a type's values.
  ///
  /// - Parameter type: The type of the values.
  /// - Throws: `ModelValueError` with code `.unsupportedType` if the type is not `Codable`.
  /// > Concurrency: Any thread.
  package static func of(_ type: any Any.Type) throws(ModelValueError) -> StoredForm {
    if let form = known.withLock({ $0[ObjectIdentifier(type)] }) { return form }
    var builder = StoredFormBuilder()
    let form = try builder.form(of: type)
    return known.withLock { forms in
      // Another thread may have been first. Each type has only one form, because the form has a
      // cache.
      if let first = forms[ObjectIdentifier(type)] { return first }
      forms[ObjectIdentifier(type)] = form
      return form
    }
  }

  /// Returns the form of values that are encoded as JSON text in one column, as with
  /// `@Attribute(.codable)`.
  ///
  /// - Parameter type: The type of the values.
  /// - Throws: `ModelValueError` with code `.unsupportedType` if the type is not `Codable`.
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

/// The stored form of a value that is divided into elements.
///
/// The elements are the stored properties of a struct or the cases of an enumeration. The values of
/// the elements form one list, in the order of the declarations. A composite element contributes
/// the values of its elements to this list.
///
/// > Concurrency: Any thread. The form is immutable, except for a cache of key types.
package final class CompositeForm: Sendable {
  /// The kinds of types with a composite form.
  package enum Kind: Sendable {
    /// A struct. The form has one element for each stored property.
    case structure
    /// An enumeration with raw values. The form has one element, which has the name of the
    /// attribute.
    case rawValues
    /// An enumeration whose cases have no associated values. The form has one element for each
    /// case. The element contains the name of the case.
    case cases
    /// An enumeration with associated values. The form has one element for each case. The element
    /// contains the encoded value.
    case payloads
  }

  /// One element of a composite form.
  package struct Element: Sendable {
    /// The name of the property or the case; an empty string for the element of raw values.
    package let name: String
    /// The type of the element, including `Optional`.
    package let type: any Any.Type
    /// Whether the element may be without a value.
    package let isOptional: Bool
    /// The form in which the values of the element are stored.
    package let content: StoredForm.Content
    /// The position of the element's first value in the list of values.
    package let place: Int
    /// The number of values that the element contributes to the list.
    package let width: Int
  }

  /// The struct or the enumeration, without `Optional`.
  package let type: any Any.Type
  /// The kind of the type.
  package let kind: Kind
  /// The elements, in the order of their declarations.
  package let elements: [Element]
  /// The number of values in the list.
  package let width: Int
  private let positions: [String: Int]
  private let caseAddresses: [UnsafePointerBox]
  private let keyMaps = Mutex<[ObjectIdentifier: KeyMap]>([:])

  /// The address of a name in the constant data of the program, which is valid until the program
  /// ends.
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

  /// The names of the cases; `nil` for a struct and for an enumeration with raw values.
  package var caseNames: [String]? {
    switch kind {
    case .structure, .rawValues: nil
    case .cases, .payloads: elements.map(\.name)
    }
  }

  /// Whether the type is an enumeration.
  package var isEnumeration: Bool {
    if case .structure = kind { return false }
    return true
  }

  /// Returns the position of the element with the given name. The storage of a property wrapper is
  /// found by the name of the property.
  func position(named name: String) -> Int? { positions[name] ?? positions["_" + name] }

  /// Returns the position of an enumeration value's case.
  func position<Value>(ofCase value: Value) -> Int? {
    guard let address = runtimeCaseName(value) else { return nil }
    return caseAddresses.firstIndex(of: UnsafePointerBox(address))
  }

  /// Returns the elements for the keys of a type. The map is computed once for each type of keys.
  func keyMap<Key: CodingKey>(_ type: Key.Type) -> KeyMap {
    keyMaps.withLock { maps in
      if let map = maps[ObjectIdentifier(type)] { return map }
      let map = KeyMap(type, of: self)
      maps[ObjectIdentifier(type)] = map
      return map
    }
  }

  /// Returns the dotted paths of the leaves, in the order of the list of values. The paths start
  /// below the attribute and omit its name.
  ///
  /// - Parameter attributeName: The name of the attribute; the element of raw values has the same
  ///   name.
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

/// The elements of a composite form, by the keys of one key type.
///
/// A case of a `CodingKeys` enumeration belongs to the property with the same name, even if the raw
/// value of the case is different. The map identifies such keys by the number of their case.
struct KeyMap: Sendable {
  /// The positions of the elements, by the number of the case; -1 for a key without an element.
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

  /// Returns the position of the element for a key.
  func position(of key: some CodingKey, in form: CompositeForm) -> Int? {
    if positions.isEmpty { return form.position(named: key.stringValue) }
    let number = withUnsafeBytes(of: key) { $0.first.map { Int($0) } ?? 0 }
    guard number < positions.count, positions[number] >= 0 else { return nil }
    return positions[number]
  }

  /// Returns the key of the element at a position.
  func key<Key: CodingKey>(for position: Int, in form: CompositeForm) -> Key? {
    if positions.isEmpty { return Key(stringValue: form.elements[position].name) }
    guard let number = positions.firstIndex(of: position) else { return nil }
    // Invariant: the type is an enumeration without payloads, has more cases than the number, and
    // occupies at most one byte.
    if MemoryLayout<Key>.size == 0 { return unsafeBitCast((), to: Key.self) }
    return unsafeBitCast(UInt8(number), to: Key.self)
  }
}
