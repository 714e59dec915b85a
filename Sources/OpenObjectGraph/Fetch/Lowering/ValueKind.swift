internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// The kind of values that can be compared with one side of a comparison.
///
/// The kind checks constants before a store receives them.
struct ValueKind: Equatable, Sendable {
  /// A family of types whose values can be compared with each other.
  enum Family: Sendable, Equatable {
    case any, number, text, date, data, uuid, object
    /// Bytes that only the attribute's transformer can interpret.
    case opaque
  }

  var family: Family
  var entityName = ""
  var propertyName = ""
  /// Whether the constant is a list of such values.
  var isList = false
  /// For objects, the token of the root entity; 0 if the token is not known.
  var rootToken: UInt32 = 0
  /// Whether a decimal constant becomes a floating-point number, so that a quotient calculated
  /// from the constant keeps its fractional part.
  var isDivided = false
  /// Whether the value is the result of a cast to a decimal number, or is calculated from such a
  /// result. A store may return the value as an integer.
  var isDecimal = false
  /// Whether stores save the values as floating-point numbers.
  private var isReal = false

  static let any = ValueKind(family: .any)

  /// Returns whether a value needs no conversion: a string for strings, an integer for numbers.
  @inline(__always)
  func takesUnchecked(_ value: Value) -> Bool {
    switch value {
    case .string: family == .text && !isList
    case .int(let integer): family == .number && !isList && !(isReal && Self.isRounded(integer))
    default: false
    }
  }

  /// Returns whether the conversion to a floating-point number may change an integer.
  private static func isRounded(_ integer: Int64) -> Bool { integer.magnitude > 1 << 53 }

  /// Returns the value, converted if necessary.
  ///
  /// - Throws: `StoreError` with the name of the property for a value of another family;
  ///   `Untranslatable` for a collection in place of one value if no property determines the
  ///   family. A database has no such value and would treat it as null.
  func checked(_ value: Value) throws -> Value {
    if isList { return try checkedList(value) }
    if family == .any, case .list = value { throw Self.collectionForValue }
    if let converted = converted(value) { return converted }
    guard fits(value) else {
      throw StoreError(
        .unsupportedPredicate,
        "The predicate compares a property with a value of another type (\(Self.name(of: value))).",
        entityName: entityName.isEmpty ? nil : entityName,
        propertyName: propertyName.isEmpty ? nil : propertyName)
    }
    if case .object(let reference) = value { return .object(matching(reference)) }
    return value
  }

  /// The reason for evaluating a collection in place of one value in memory.
  static let collectionForValue = Untranslatable(
    reason: "a collection where a single value is required")

  /// Returns whether operands of another kind can be used in place of operands of this kind.
  func accepts(_ other: ValueKind) -> Bool {
    if family == .object, other.family == .object, rootToken != 0, other.rootToken != 0 {
      return rootToken == other.rootToken
    }
    if family == .any || other.family == .any || family == other.family { return true }
    return family == .number && other.family == .date
  }

  /// Returns the reference, or a reference that matches no object if its entity has another root.
  ///
  /// Rows contain only keys.
  private func matching(_ reference: ObjectReference) -> ObjectReference {
    guard rootToken != 0, reference.entityToken != 0, reference.entityToken != rootToken else {
      return reference
    }
    var other = reference
    other.key = .min
    return other
  }

  private func checkedList(_ value: Value) throws -> Value {
    guard case .list(let members) = value else {
      throw StoreError(
        .unsupportedPredicate, "The right side of IN must be a collection.",
        entityName: entityName.isEmpty ? nil : entityName,
        propertyName: propertyName.isEmpty ? nil : propertyName)
    }
    var single = self
    single.isList = false
    return .list(try members.map { try single.checked($0) })
  }

  /// Converts a number that is compared with strings to a string, and a numeric string to a number.
  /// A decimal number that is compared with dates becomes a real number. An integer that is
  /// compared with real numbers becomes a real number if it is too large for an exact conversion.
  private func converted(_ value: Value) -> Value? {
    switch (family, value) {
    case (.text, .int(let integer)): .string(String(integer))
    case (.text, .bool(let flag)): .string(flag ? "1" : "0")
    case (.text, .double(let real)): .string(Value.text(of: real))
    case (.text, .decimal(let box)): .string(box.decimal.description)
    case (.date, .decimal): value.number.map(Value.double)
    case (.number, .decimal) where isDivided, (.any, .decimal) where isDivided:
      value.number.map(Value.double)
    case (.number, .int(let integer)) where isReal && Self.isRounded(integer):
      .double(Double(integer))
    case (.number, .string(let text)): Value.number(in: text).map { converted($0) ?? $0 }
    default: nil
    }
  }

  private func fits(_ value: Value) -> Bool {
    switch (family, value) {
    case (.any, _), (_, .null): true
    case (.number, .int), (.number, .double), (.number, .bool), (.number, .decimal): true
    case (.number, .date), (.date, .date), (.date, .double), (.date, .int): true
    case (.text, .string), (.text, .url), (.text, .int), (.text, .double), (.text, .bool): true
    case (.data, .data), (.uuid, .uuid), (.object, .object): true
    default: false
    }
  }

  private static func name(of value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool, .int, .double, .decimal: "number"
    case .date: "date"
    case .string: "string"
    case .data: "data"
    case .uuid: "UUID"
    case .url: "URL"
    case .object: "object"
    case .list: "collection"
    }
  }

  /// Creates the kind of a property.
  init(_ property: CompiledProperty, in entity: CompiledEntity) throws {
    self.init(family: .object, entityName: entity.name, propertyName: property.name)
    guard let attribute = property.attribute else {
      if let relationship = property.relationship {
        let model = entity.model
        rootToken = model.entities[relationship.destinationIndex].rootToken
      }
      return
    }
    isReal = attribute.type == .double || attribute.type == .float
    switch attribute.type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: family = .number
    case .string, .uri: family = .text
    case .date: family = .date
    case .binaryData: family = .data
    case .uuid: family = .uuid
    case .transformable: family = .opaque
    default: family = .any
    }
  }

  /// Creates the kind of an entity's objects.
  init(objectsOf entity: CompiledEntity) {
    self.init(family: .object, entityName: entity.name)
    rootToken = entity.rootToken
  }

  init(family: Family, entityName: String = "", propertyName: String = "") {
    self.family = family
    self.entityName = entityName
    self.propertyName = propertyName
  }
}
