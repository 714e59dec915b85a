internal import Foundation
package import OpenPredicates

/// Converts the values of model properties to the values of attributes, and back.
///
/// The conversions use the `Codable` implementations of the properties' types, and the stored forms
/// that `StoredForm.of(_:)` determines for the types.
///
/// > Concurrency: Any thread.
package enum ModelCoding {
  // MARK: Elements of composite attributes

  /// Encodes a value into the leaves of a composite attribute. The leaves are the elements that are
  /// not themselves composite.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - form: The form of the value's type.
  /// - Returns: The values of the leaves, in the order of
  ///   `CompositeForm.leafPaths(attributeName:)`. If the value is `nil`, all leaves are null.
  /// - Throws: `ModelValueError` with one of these codes: `.refused` if the `Encodable`
  ///   implementation of a type throws an error; `.outOfRange` if a number is outside the range of
  ///   its attribute; `.unexpectedShape` if the encoding does not match the declaration of the
  ///   type.
  package static func leaves<Content: Encodable>(
    of value: Content, _ form: CompositeForm
  ) throws(ModelValueError) -> [Value] {
    let values = ElementValues(width: form.width)
    do {
      try ElementEncoder.encode(value, form, at: 0, into: values)
    } catch { throw wrapped(error, .refused, form.type) }
    if let failure = values.failure { throw failure }
    if unwrapped(value) != nil { try check(values.values, form, at: 0) }
    return values.values
  }

  /// Throws an error if the encoding did not write a value that decoding needs.
  ///
  /// - Parameters:
  ///   - values: The values that the encoding wrote.
  ///   - form: The form of a value that is not `nil`.
  ///   - base: The position of the form's first value in the list.
  static func check(
    _ values: [Value], _ form: CompositeForm, at base: Int
  ) throws(ModelValueError) {
    if form.isEnumeration {
      if !ElementDecoder.isNull(form, at: base, in: values) { return }
      throw ModelValueError(
        .unexpectedShape,
        "The Encodable implementation of \(form.type) does not encode the case. Use @Attribute(.codable) to store the encoded value as a "
          + "whole.")
    }
    for element in form.elements {
      let place = base + element.place
      let isNull = values[place..<place + element.width].allSatisfy { $0 == .null }
      if isNull, element.isOptional { continue }
      if case .composite(let inner) = element.content, !inner.isEnumeration {
        do throws(ModelValueError) { try check(values, inner, at: place) } catch {
          throw error.located(entity: nil, property: element.name)
        }
      } else if isNull {
        var error = ModelValueError(
          .unexpectedShape,
          "The Encodable implementation of \(form.type) does not encode a non-optional stored property. Make the property optional, "
            + "or use @Attribute(.codable) to store the encoded value as a whole.")
        error.propertyName = element.name
        throw error
      }
    }
  }

  /// Decodes a value from the leaves of a composite attribute.
  ///
  /// - Parameters:
  ///   - type: The type of the value, including `Optional`.
  ///   - leaves: The values of the leaves, in the order of
  ///     `CompositeForm.leafPaths(attributeName:)`.
  ///   - form: The form of the type.
  /// - Returns: The decoded value.
  /// - Throws: `ModelValueError` with one of these codes: `.missingValue` if the leaves lack a
  ///   value that the type requires; `.outOfRange` if a number is outside the range of its type;
  ///   `.unreadable` if the leaves cannot be decoded for another reason.
  package static func value<Content: Decodable>(
    _ type: Content.Type, from leaves: [Value], _ form: CompositeForm
  ) throws(ModelValueError) -> Content {
    if ElementDecoder.isNull(form, at: 0, in: leaves), let none = ElementDecoder.none(type) {
      return none
    }
    do {
      return try ElementDecoder.decode(type, form, at: 0, from: leaves)
    } catch { throw wrapped(error, .unreadable, form.type) }
  }

  // MARK: Whole attributes

  /// Encodes a value for an attribute.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - form: The form of the value's type.
  ///   - name: The name of the attribute.
  /// - Returns: The value for the attribute: a scalar, a dictionary for a composite attribute, a
  ///   collection for an archive, or data for JSON text; `nil` if the value is `nil`.
  /// - Throws: `ModelValueError` with one of these codes: `.refused` if the `Encodable`
  ///   implementation of a type throws an error; `.outOfRange` if a number is outside the range of
  ///   its attribute; `.unexpectedShape` if the encoding does not match the declaration of the
  ///   type.
  package static func encode<Content: Encodable>(
    _ value: Content, as form: StoredForm, attributeName name: String
  ) throws(ModelValueError) -> Any? {
    switch form.content {
    case .scalar(let scalar): return try self.scalar(value, scalar, form).anyValue
    case .composite(let composite):
      return dictionary(of: try leaves(of: value, composite), composite, name, at: 0)
    case .archive: return unwrapped(value)
    case .json:
      guard unwrapped(value) != nil else { return nil }
      do { return try JSONForm.data(of: value) } catch { throw wrapped(error, .refused, form.type) }
    }
  }

  /// Decodes a value from the stored value of an attribute.
  ///
  /// - Parameters:
  ///   - type: The type of the value, including `Optional`.
  ///   - stored: The stored value of the attribute; `nil` if the attribute has no value.
  ///   - form: The form of the type.
  ///   - name: The name of the attribute.
  /// - Returns: The decoded value.
  /// - Throws: `ModelValueError` with one of these codes: `.missingValue` if the type requires a
  ///   value that is not stored; `.outOfRange` if a number is outside the range of its type;
  ///   `.unreadable` if the stored value cannot be decoded for another reason.
  package static func decode<Content: Decodable>(
    _ type: Content.Type, from stored: Any?, as form: StoredForm, attributeName name: String
  ) throws(ModelValueError) -> Content {
    if case .composite(let composite) = form.content {
      var leaves = [Value](repeating: .null, count: composite.width)
      try fill(&leaves, from: stored, composite, name, at: 0)
      return try value(type, from: leaves, composite)
    }
    guard let stored, !(stored is NSNull) else {
      if let none = ElementDecoder.none(type) { return none }
      throw ModelValueError(
        .missingValue,
        "The store has no value for a property of type \(type), which is not optional.")
    }
    switch form.content {
    case .scalar, .composite: return try self.scalar(type, stored)
    case .archive: return try archived(type, stored, form)
    case .json:
      guard let data = stored as? Data else { throw ArchiveForm.refused(type) }
      do { return try JSONForm.value(type, in: data) } catch {
        throw wrapped(error, .unreadable, form.type)
      }
    }
  }

  // MARK: Scalars

  private static func scalar<Content: Encodable>(
    _ value: Content, _ scalar: ScalarForm, _ form: StoredForm
  ) throws(ModelValueError) -> Value {
    guard let content = unwrapped(value) else { return .null }
    switch content {
    case let text as String: return try scalar.value(text)
    case let flag as Bool where scalar == .bool: return try scalar.value(flag)
    case let real as Double where scalar == .double: return try scalar.value(real)
    case let real as Float where scalar == .float: return try scalar.value(Double(real))
    case let character as Character: return try scalar.value(String(character))
    case let integer as any FixedWidthInteger: return try scalar.value(integer)
    default: break
    }
    if let value = try scalar.foundationValue(content) { return value }
    throw .wrong(type(of: content), "\(form.type)")
  }

  private static func scalar<Content: Decodable>(
    _ type: Content.Type, _ stored: Any
  ) throws(ModelValueError) -> Content {
    if let content = stored as? Content { return content }
    guard let value = Value(any: stored) else { throw ArchiveForm.refused(type) }
    let scalar = StoredFormBuilder.unwrapped(type).type
    guard let content = try read(scalar, from: value) as? Content else {
      throw ArchiveForm.refused(type)
    }
    return content
  }

  private static func read(
    _ type: any Any.Type, from value: Value
  ) throws(ModelValueError) -> Any? {
    func open<Content>(_ type: Content.Type) throws(ModelValueError) -> Any? {
      try ScalarForm.read(type, from: value)
    }
    return try _openExistential(type, do: open)
  }

  private static func archived<Content: Decodable>(
    _ type: Content.Type, _ stored: Any, _ form: StoredForm
  ) throws(ModelValueError) -> Content {
    if let content = stored as? Content { return content }
    func open<Collection>(_ type: Collection.Type) throws(ModelValueError) -> Any {
      try ArchiveForm.value(type, from: stored)
    }
    guard let content = try _openExistential(form.type, do: open) as? Content else {
      throw ArchiveForm.refused(type)
    }
    return content
  }

  /// Returns a value without its layers of `Optional`; `nil` if the value is `nil`.
  static func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalWrapping else { return value }
    return optional.wrapped.flatMap(unwrapped)
  }

  // MARK: Dictionaries

  private static func dictionary(
    of leaves: [Value], _ form: CompositeForm, _ name: String, at base: Int
  ) -> [String: Any]? {
    var dictionary: [String: Any] = [:]
    for element in form.elements {
      let key = form.kind.isRawValues ? name : element.name
      if case .composite(let inner) = element.content {
        dictionary[key] = self.dictionary(of: leaves, inner, key, at: base + element.place)
      } else {
        dictionary[key] = leaves[base + element.place].anyValue
      }
    }
    return dictionary.isEmpty ? nil : dictionary
  }

  private static func fill(
    _ leaves: inout [Value], from stored: Any?, _ form: CompositeForm, _ name: String, at base: Int
  ) throws(ModelValueError) {
    guard let stored, !(stored is NSNull) else { return }
    guard let dictionary = stored as? [String: Any] else { throw ArchiveForm.refused(form.type) }
    for element in form.elements {
      let key = form.kind.isRawValues ? name : element.name
      guard let value = dictionary[key] else { continue }
      if case .composite(let inner) = element.content {
        try fill(&leaves, from: value, inner, key, at: base + element.place)
      } else {
        guard let leaf = Value(any: value) else { throw ArchiveForm.refused(form.type) }
        leaves[base + element.place] = leaf
      }
    }
  }

  // MARK: Errors

  /// Converts an error of a type's own coding to an error whose message contains no values.
  private static func wrapped(
    _ error: any Error, _ code: ModelValueError.Code, _ type: any Any.Type
  ) -> ModelValueError {
    if let error = error as? ModelValueError { return error }
    var missing = false
    if case DecodingError.valueNotFound = error { missing = true }
    if case DecodingError.keyNotFound = error { missing = true }
    let text =
      missing
      ? "The store has no value that the Decodable implementation of \(type) requires."
      : code == .refused
        ? "The Encodable implementation of \(type) threw an error."
        : "The Decodable implementation of \(type) threw an error for the stored value."
    var wrapped = ModelValueError(missing ? .missingValue : code, text, underlying: error)
    let path = path(of: error).map(\.stringValue).joined(separator: ".")
    wrapped.propertyName = path.isEmpty ? nil : path
    return wrapped
  }

  private static func path(of error: any Error) -> [any CodingKey] {
    switch error {
    case DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context),
      DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context):
      context.codingPath
    case EncodingError.invalidValue(_, let context): context.codingPath
    default: []
    }
  }
}
