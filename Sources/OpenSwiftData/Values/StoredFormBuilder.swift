internal import Foundation
internal import OpenPredicates

/// Determines the form in which values of a type are stored.
struct StoredFormBuilder {
  /// The types whose forms are being determined, for the detection of recursive types.
  private var open: Set<ObjectIdentifier> = []

  /// Returns the form of a type's values.
  ///
  /// - Throws: `ModelValueError` with code `.unsupportedType` if the type is not `Codable`.
  mutating func form(of type: any Any.Type) throws(ModelValueError) -> StoredForm {
    let (content, isOptional) = Self.unwrapped(type)
    return StoredForm(content, isOptional: isOptional, try self.content(of: content, isPart: false))
  }

  /// Returns a type without its layers of `Optional`, and whether there were any.
  static func unwrapped(_ type: any Any.Type) -> (type: any Any.Type, isOptional: Bool) {
    var content = type
    var isOptional = false
    while let optional = content as? any OptionalWrapping.Type {
      content = optional.wrappedType
      isOptional = true
    }
    return (content, isOptional)
  }

  static func requireCodable(_ type: any Any.Type) throws(ModelValueError) {
    if type is any Encodable.Type, type is any Decodable.Type { return }
    throw ModelValueError(
      .unsupportedType,
      "The type \(type) is not Codable. Make it conform to Codable, mark the property with @Transient, or give it a value "
        + "transformer with @Attribute(.transformable(by:)).")
  }

  private mutating func content(
    of type: any Any.Type, isPart: Bool
  ) throws(ModelValueError) -> StoredForm.Content {
    if let scalar = ScalarForm(type), type is any Decodable.Type { return .scalar(scalar) }
    try Self.requireCodable(type)
    if let collection = type as? any CollectionShape.Type {
      return !isPart && collection.isPlain ? .archive : .json
    }
    if let form = try composite(type) { return .composite(form) }
    return .json
  }

  // MARK: Composites

  /// Returns the composite form of a type; `nil` if the values are encoded as JSON text.
  private mutating func composite(_ type: any Any.Type) throws(ModelValueError) -> CompositeForm? {
    guard !Self.isOpaque(type), open.insert(ObjectIdentifier(type)).inserted,
      let described = TypeFields(of: type)
    else { return nil }
    defer { open.remove(ObjectIdentifier(type)) }
    switch described.kind {
    case .structure: return try structure(type, described.fields)
    case .enumeration: return try enumeration(type, described.fields)
    }
  }

  /// Returns whether a type belongs to the standard library or to Foundation and does not expose
  /// its contents.
  static func isOpaque(_ type: any Any.Type) -> Bool {
    if type is any TransparentShape.Type { return false }
    let module = String(reflecting: type).prefix { $0 != "." }
    return ["Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization"]
      .contains(String(module))
  }

  private mutating func structure(
    _ type: any Any.Type, _ fields: [TypeFields.Field]
  ) throws(ModelValueError) -> CompositeForm? {
    var elements: [CompositeForm.Element] = []
    for field in fields where !field.name.hasPrefix("$__lazy_storage_$_") {
      guard let fieldType = field.type else { continue }
      let (content, isOptional) = Self.unwrapped(fieldType)
      // Constants and caches that are not encoded need not be Codable.
      guard content is any Encodable.Type, content is any Decodable.Type else { continue }
      let form = try self.content(of: content, isPart: true)
      elements.append(Self.element(field.name, fieldType, isOptional, form, after: elements))
    }
    return elements.isEmpty ? nil : CompositeForm(type, .structure, elements)
  }

  private static func element(
    _ name: String, _ type: any Any.Type, _ isOptional: Bool, _ content: StoredForm.Content,
    after others: [CompositeForm.Element]
  ) -> CompositeForm.Element {
    var width = 1
    if case .composite(let inner) = content { width = inner.width }
    let place = others.last.map { $0.place + $0.width } ?? 0
    return .init(
      name: name, type: type, isOptional: isOptional, content: content, place: place, width: width)
  }

  private func enumeration(
    _ type: any Any.Type, _ fields: [TypeFields.Field]
  ) throws(ModelValueError) -> CompositeForm? {
    if let representable = type as? any RawRepresentable.Type,
      let scalar = ScalarForm(Self.rawType(representable))
    {
      let raw = Self.rawType(representable)
      return CompositeForm(
        type, .rawValues, [Self.element("", raw, true, .scalar(scalar), after: [])])
    }
    guard !fields.isEmpty else { return nil }
    let hasPayloads = fields.contains { $0.type != nil }
    var elements: [CompositeForm.Element] = []
    for field in fields {
      let content: StoredForm.Content = hasPayloads ? .json : .scalar(.string)
      elements.append(
        Self.element(field.name, hasPayloads ? type : String.self, true, content, after: elements))
    }
    return CompositeForm(
      type, hasPayloads ? .payloads : .cases, elements, caseAddresses: fields.map(\.address))
  }

  private static func rawType<Type: RawRepresentable>(_ type: Type.Type) -> any Any.Type {
    Type.RawValue.self
  }
}

/// A collection type of the standard library.
protocol CollectionShape {
  /// Whether the collection contains only values that Foundation's archives support, or collections
  /// of such values.
  static var isPlain: Bool { get }
}

extension CollectionShape {
  static func isPlain(_ type: any Any.Type) -> Bool {
    if let collection = type as? any CollectionShape.Type { return collection.isPlain }
    switch ScalarForm(type) {
    case nil: return false
    default: return type != Character.self && type != CGFloat.self
    }
  }
}

extension Array: CollectionShape {
  static var isPlain: Bool { isPlain(Element.self) }
}

extension Set: CollectionShape {
  static var isPlain: Bool { isPlain(Element.self) }
}

extension Dictionary: CollectionShape {
  static var isPlain: Bool { Key.self == String.self && isPlain(Value.self) }
}

extension ContiguousArray: CollectionShape {
  static var isPlain: Bool { false }
}

/// A type of the standard library or of Foundation that encodes its stored properties in their
/// order.
protocol TransparentShape {}

extension CGPoint: TransparentShape {}
extension CGSize: TransparentShape {}
extension CGRect: TransparentShape {}
extension Range: TransparentShape {}
extension ClosedRange: TransparentShape {}
