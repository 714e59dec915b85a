internal import Foundation
internal import OpenPredicates

/// A decoder for a struct or an enumeration, with the values of a composite attribute's elements.
///
/// A decoder is used for one call only. The decoder reads the values that `ElementEncoder` writes.
final class ElementDecoder: Decoder {
  let form: CompositeForm
  let base: Int
  let values: [Value]

  init(_ form: CompositeForm, at base: Int, from values: [Value]) {
    self.form = form
    self.base = base
    self.values = values
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedElementDecoding(self, form.keyMap(type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { UnkeyedElementDecoding(self) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func slot(_ position: Int) -> ElementSlot { ElementSlot(form.elements[position], from: base) }

  /// Returns whether an element has no value.
  func isNull(_ slot: ElementSlot) -> Bool {
    guard case .composite(let inner) = slot.content else { return values[slot.place] == .null }
    return Self.isNull(inner, at: slot.place, in: values)
  }

  static func isNull(_ form: CompositeForm, at base: Int, in values: [Value]) -> Bool {
    values[base..<base + form.width].allSatisfy { $0 == .null }
  }

  func mismatch(_ type: any Any.Type, _ what: String) -> DecodingError {
    DecodingError.typeMismatch(
      type,
      .init(
        codingPath: [],
        debugDescription:
          "The Decodable implementation of \(form.type) reads \(what), which the stored form does not contain."
      )
    )
  }

  // MARK: One element

  /// Reads an element that consists of one scalar.
  func scalar<Content>(
    _ slot: ElementSlot, _ read: (Value) throws -> Content
  ) throws -> Content {
    guard slot.scalar != nil else {
      throw mismatch(Content.self, "a single value for \(slot.name)")
    }
    let value = values[slot.place]
    if value == .null { throw Self.missing(Content.self, slot) }
    do { return try read(value) } catch let error as ModelValueError {
      throw error.located(entity: nil, property: slot.name)
    }
  }

  static func missing(_ type: any Any.Type, _ slot: ElementSlot) -> DecodingError {
    DecodingError.valueNotFound(
      type,
      .init(
        codingPath: [ElementKey(slot.name)],
        debugDescription: "The store has no value for \(slot.name)."))
  }

  func get<Content: Decodable>(_ type: Content.Type, _ slot: ElementSlot) throws -> Content {
    do {
      switch slot.content {
      case .scalar: return try single(type, slot)
      case .composite(let inner):
        return try Self.decode(type, inner, at: slot.place, from: values)
      case .json, .archive: return try json(type, slot)
      }
    } catch let error as ModelValueError {
      throw error.located(entity: nil, property: slot.name)
    }
  }

  private func single<Content: Decodable>(
    _ type: Content.Type, _ slot: ElementSlot
  ) throws -> Content {
    let value = values[slot.place]
    if value != .null, let content = try ScalarForm.read(type, from: value) { return content }
    // The type wraps a scalar, or is optional.
    return try type.init(from: ScalarDecoder(self, slot))
  }

  private func json<Content: Decodable>(
    _ type: Content.Type, _ slot: ElementSlot
  ) throws -> Content {
    guard case .data(let data) = values[slot.place] else {
      if let none = Self.none(type) { return none }
      throw Self.missing(type, slot)
    }
    return try JSONForm.value(type, in: data)
  }

  /// Returns the value `nil` of an optional type, or no value for another type.
  static func none<Content>(_ type: Content.Type) -> Content? {
    Any?.none as? Content
  }

  /// Decodes a value from the list of values.
  static func decode<Content: Decodable>(
    _ type: Content.Type, _ form: CompositeForm, at base: Int, from values: [Value]
  ) throws -> Content {
    let isNull = form.isEnumeration && isNull(form, at: base, in: values)
    if isNull {
      if let none = none(type) { return none }
      throw ModelValueError(
        .missingValue,
        "The store has no value for a property of type \(form.type), which is not optional.")
    }
    if case .payloads = form.kind, type == form.type {
      for element in form.elements {
        guard case .data(let data) = values[base + element.place] else { continue }
        return try JSONForm.value(type, in: data)
      }
    }
    return try type.init(from: ElementDecoder(form, at: base, from: values))
  }
}

/// The name of an element in the coding path of an error.
struct ElementKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

// MARK: Single values

/// Decodes a value of a type with one element, or an optional value.
extension ElementDecoder: OneValueDecoding {
  var element: ElementDecoder { self }

  func slot(for type: any Any.Type) throws -> ElementSlot {
    guard form.elements.count == 1, form.caseNames == nil else {
      throw mismatch(type, "a single value of type \(type)")
    }
    return slot(0)
  }

  func decodeNil() -> Bool { Self.isNull(form, at: base, in: values) }

  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    if type == form.type || type is any OptionalWrapping.Type {
      return try Self.decode(type, form, at: base, from: values)
    }
    return try get(type, slot(for: type))
  }
}

/// A decoder for a type whose element is a scalar.
private final class ScalarDecoder: Decoder, OneValueDecoding {
  let element: ElementDecoder
  private let slot: ElementSlot

  init(_ outer: ElementDecoder, _ slot: ElementSlot) {
    element = outer
    self.slot = slot
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw element.mismatch([String: Any].self, "a keyed container for \(slot.name)")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw element.mismatch([Any].self, "an unkeyed container for \(slot.name)")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func slot(for type: any Any.Type) -> ElementSlot { slot }

  func decodeNil() -> Bool { element.isNull(slot) }
  func decode<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try element.get(type, slot)
  }
}
