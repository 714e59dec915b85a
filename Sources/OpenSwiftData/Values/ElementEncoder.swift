internal import Foundation
internal import OpenPredicates

/// The values of a composite attribute's elements that an encoding produces.
///
/// The list is used for one call only.
final class ElementValues {
  var values: [Value]
  /// The first failure in a method that cannot throw.
  private(set) var failure: ModelValueError?

  init(width: Int) { values = Array(repeating: .null, count: width) }

  func fail(_ error: ModelValueError) { failure = failure ?? error }
}

/// One element, with the position of its first value in the list.
struct ElementSlot {
  let name: String
  let content: StoredForm.Content
  let place: Int

  init(_ element: CompositeForm.Element, from base: Int) {
    name = element.name
    content = element.content
    place = base + element.place
  }

  /// The scalar of the element, or of its only element; `nil` if there is no single scalar.
  var scalar: ScalarForm? {
    switch content {
    case .scalar(let scalar): return scalar
    case .composite(let form):
      if case .cases = form.kind { return nil }
      return form.elements.count == 1
        ? ElementSlot(form.elements[0], from: place).scalar : nil
    case .json, .archive: return nil
    }
  }
}

/// An encoder for a struct or an enumeration, which writes each property to the element with the
/// property's name.
///
/// An encoder is used for one call only. The coding of a type may write its stored properties with
/// keys, in the order of their declarations, or as a single value if there is only one property.
final class ElementEncoder: Encoder {
  let form: CompositeForm
  let base: Int
  let values: ElementValues

  init(_ form: CompositeForm, at base: Int, into values: ElementValues) {
    self.form = form
    self.base = base
    self.values = values
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedElementEncoding(self, form.keyMap(type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedElementEncoding(self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func slot(_ position: Int) -> ElementSlot { ElementSlot(form.elements[position], from: base) }

  func wrongShape(_ what: String) -> ModelValueError {
    ModelValueError(
      .unexpectedShape,
      "The Encodable implementation of \(form.type) writes \(what), but the library stores each "
        + (form.isEnumeration ? "case" : "property")
        + " of the type separately. Use @Attribute(.codable) to store the encoded value as a whole."
    )
  }

  // MARK: One element

  func put(_ slot: ElementSlot, _ value: (ScalarForm) throws -> Value) throws {
    guard let scalar = slot.scalar else { throw wrongShape("a single value for \(slot.name)") }
    do {
      values.values[slot.place] = try value(scalar)
    } catch let error as ModelValueError {
      throw error.located(entity: nil, property: slot.name)
    }
  }

  func put<Content: Encodable>(_ content: Content, _ slot: ElementSlot) throws {
    switch slot.content {
    case .scalar(let scalar):
      if let text = content as? Character { return try put(slot) { try $0.value(String(text)) } }
      if let value = try scalar.foundationValue(content) {
        values.values[slot.place] = value
      } else {
        try content.encode(to: ScalarEncoder(self, slot))
      }
    case .composite(let inner):
      try encode(content, inner, slot)
    case .json, .archive:
      // JSON text with `null` could not be decoded as a missing value.
      if ModelCoding.unwrapped(content) == nil { return }
      do {
        values.values[slot.place] = .data(try JSONForm.data(of: content))
      } catch let error as ModelValueError {
        throw error.located(entity: nil, property: slot.name)
      }
    }
  }

  private func encode(
    _ content: some Encodable, _ inner: CompositeForm, _ slot: ElementSlot
  ) throws {
    do {
      try ElementEncoder.encode(content, inner, at: slot.place, into: values)
      guard ElementDecoder.isNull(inner, at: slot.place, in: values.values),
        ModelCoding.unwrapped(content) != nil
      else { return }
      // If all values of an optional element are null, the check of the whole value treats it as
      // nil.
      try ModelCoding.check(values.values, inner, at: slot.place)
    } catch let error as ModelValueError {
      throw error.located(entity: nil, property: slot.name)
    }
  }

  /// Encodes a value into the list of values.
  static func encode(
    _ content: some Encodable, _ form: CompositeForm, at base: Int, into values: ElementValues
  ) throws {
    switch form.kind {
    case .structure, .rawValues:
      try content.encode(to: ElementEncoder(form, at: base, into: values))
    case .cases:
      let encoder = ElementEncoder(form, at: base, into: values)
      try content.encode(to: encoder)
      try encoder.checkCase()
    case .payloads:
      guard let position = form.position(ofCase: content) else {
        let encoder = ElementEncoder(form, at: base, into: values)
        // An optional enumeration encodes its wrapped value, or nothing.
        guard type(of: content) is any OptionalWrapping.Type else {
          throw encoder.wrongShape("a value of type \(type(of: content))")
        }
        return try content.encode(to: encoder)
      }
      values.values[base + form.elements[position].place] = .data(try JSONForm.data(of: content))
    }
  }

  /// Throws an error if the encoding wrote more than one case.
  private func checkCase() throws {
    let written = values.values[base..<base + form.width].count { $0 != .null }
    if written > 1 { throw wrongShape("several cases at once") }
  }
}

// MARK: Single values

/// Encodes a value of a type with one element, or an optional value.
extension ElementEncoder: OneValueEncoding {
  var element: ElementEncoder { self }

  func slot(for what: String) throws -> ElementSlot {
    guard form.elements.count == 1, form.caseNames == nil else { throw wrongShape(what) }
    return slot(0)
  }

  func encode<Content: Encodable>(_ value: Content) throws {
    if Content.self == form.type || Content.self is any OptionalWrapping.Type {
      return try Self.encode(value, form, at: base, into: values)
    }
    try put(value, slot(for: "a value of type \(Content.self)"))
  }
}

/// An encoder for a type whose element is a scalar.
private final class ScalarEncoder: Encoder, OneValueEncoding {
  let element: ElementEncoder
  private let slot: ElementSlot

  init(_ outer: ElementEncoder, _ slot: ElementSlot) {
    element = outer
    self.slot = slot
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    element.values.fail(element.wrongShape("a keyed container for \(slot.name)"))
    return KeyedEncodingContainer(DiscardingKeyedEncoding())
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    element.values.fail(element.wrongShape("an unkeyed container for \(slot.name)"))
    return DiscardingEncoding()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func slot(for what: String) -> ElementSlot { slot }

  func encode(_ value: some Encodable) throws { try element.put(value, slot) }
}
