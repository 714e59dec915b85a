internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// One assignment of a value to a property by name.
///
/// The value is checked and converted before anything changes.
///
/// > Concurrency: Confined to the context's queue.
struct PropertyAssignment {
  private let value: Any?
  private let property: CompiledProperty
  private let object: NSManagedObject

  /// Creates the assignment.
  ///
  /// - Throws: `ObjectError` if the object's entity has no property with the name.
  init(_ value: Any?, to key: String, of object: NSManagedObject) throws {
    guard let ordinal = object.compiledEntity.ordinal(of: key) else {
      throw object.misuse(
        Self.complaint(key, object) + " Setters written in Swift cannot be found by key. Assign "
          + "the property directly, or override setValue(_:forKey:).", key)
    }
    self.init(value, to: object.compiledEntity.properties[ordinal], of: object)
  }

  private init(_ value: Any?, to property: CompiledProperty, of object: NSManagedObject) {
    self.value = value
    self.property = property
    self.object = object
  }

  /// Returns the error message for a name that is not a property.
  static func complaint(_ key: String, _ object: NSManagedObject) -> String {
    "The entity \(object.compiledEntity.name) is not key value coding-compliant for the key "
      + "\"\(key)\"."
  }

  /// Sets the property.
  ///
  /// - Throws: `ObjectError` for a value of the wrong type. In this case nothing is changed.
  func perform() throws {
    switch property.kind {
    case .relationship(let relationship): try setRelationship(relationship)
    case .attribute(let attribute): try setAttribute(attribute)
    }
  }

  /// Sets a property for a primitive accessor. A to-one relationship changes without its inverse.
  ///
  /// The next save throws the error of a value that the property does not accept.
  static func setPrimitive(_ value: Any?, _ ordinal: Int, of object: NSManagedObject) {
    let property = object.compiledEntity.properties[ordinal]
    guard let relationship = property.relationship, !relationship.isToMany,
      value == nil || value is NSNull || value is NSManagedObject
    else { return object.writeValue(value, forKey: property.name) }
    let destination = value as? NSManagedObject
    if let destination, RelationshipEdit(object, ordinal)?.hasEntity(destination) == false {
      return
    }
    object.setEdit(destination.map { .object($0) } ?? .value(.null), ordinal)
  }

  /// The value; nil for `NSNull`, and for an empty optional that was converted to `Any`.
  private var given: Any? {
    guard let value, !(value is NSNull) else { return nil }
    guard let optional = value as? any OptionalWrapping else { return value }
    return optional.wrapped
  }

  // MARK: Relationships

  private func setRelationship(_ relationship: CompiledRelationship) throws {
    let given = self.given
    if !relationship.isToMany {
      let destination = given as? NSManagedObject
      if given != nil, destination == nil { throw unacceptable("object") }
      RelationshipEdit(object, property.ordinal)?.setDestination(destination)
      return
    }
    guard let objects = Self.objects(in: given) else {
      throw unacceptable("NSSet of managed objects")
    }
    RelationshipEdit(object, property.ordinal)?.setMembers(objects)
  }

  /// Returns the managed objects in a collection; nil for any other value.
  static func objects(in value: Any?) -> [NSManagedObject]? {
    let members: [Any]
    switch value {
    case nil: return []
    case let set as NSSet: members = set.allObjects
    case let set as NSOrderedSet: members = set.array
    case let set as ManagedMutableSet: members = set.allObjects
    case let array as [Any]: members = array
    case let set as Set<AnyHashable>: members = set.map(\.base)
    default: return nil
    }
    let objects = members.compactMap { $0 as? NSManagedObject }
    return objects.count == members.count ? objects : nil
  }

  // MARK: Attributes

  private func setAttribute(_ attribute: CompiledAttribute) throws {
    if !attribute.elements.isEmpty { return try setElements(attribute) }
    if attribute.type == .transformable || property.isTransient {
      let kept = try property.isTransient ? transientValue(attribute) : given
      return object.changing(property.ordinal) {
        // Firing a fault may set the value in `awakeFromFetch`.
        guard object.becomesEditable() else { return }
        if property.isTransient { UndoBaseline.keepTransientValue(property.ordinal, of: object) }
        object.extras?.values[property.ordinal] = nil
        object.setEdit(boxed(kept), property.ordinal)
      }
    }
    object.setEdit(.value(try converted(attribute)), property.ordinal)
  }

  /// Returns the edit for a value that is not packed. If the property has a default value, nil is
  /// also boxed, so that the object keeps it after a save.
  private func boxed(_ kept: Any?) -> EditValue {
    if let kept { return .boxed(AnyBox(kept)) }
    return property.mayHaveTransientDefault ? .boxed(AnyBox(NSNull())) : .value(.null)
  }

  /// Returns the value converted to the attribute's type.
  private func converted(_ attribute: CompiledAttribute) throws -> Value {
    guard let converted = AttributeConversion.value(value, as: attribute.type) else {
      throw unacceptable("\(attribute.type)")
    }
    return converted
  }

  /// Returns the value that a transient attribute stores, converted if the attribute has a type.
  private func transientValue(_ attribute: CompiledAttribute) throws -> Any? {
    switch attribute.type {
    case .undefined, .transformable, .objectID, .composite: return given
    default: break
    }
    let converted = try converted(attribute)
    guard attribute.type.slotDomain.accepts(converted) else {
      throw unacceptable("\(attribute.type)")
    }
    return converted.anyValue
  }

  /// Sets all elements of a composite attribute. An element that is null or missing in the
  /// dictionary becomes nil; a missing required element has its default value.
  private func setElements(_ attribute: CompiledAttribute) throws {
    let none: [String: Any] = [:]
    guard let dictionary = (given ?? none) as? [String: Any] else {
      throw unacceptable("dictionary")
    }
    let composite = CompositeValue(
      dictionary, named: property.name, of: object.compiledEntity)
    let values = composite.elements
    var unknown = Set(values.keys)
    let assignments = try attribute.elements.map { ordinal in
      let element = object.compiledEntity.properties[ordinal]
      let isGiven = unknown.remove(element.name) != nil || composite.hasNull(element)
      let value = try isGiven ? values[element.name] : defaultValue(of: element, beside: values)
      return PropertyAssignment(value, to: element, of: object)
    }
    if let unknown = unknown.min() {
      throw object.misuse("The composite attribute has no element named \(unknown).", property.name)
    }
    for assignment in assignments { try assignment.checkElement() }
    for assignment in assignments { try assignment.perform() }
  }

  /// Returns the default value of a required element; nil if none of the values, by property name,
  /// belongs to the same composite attribute.
  private func defaultValue(
    of element: CompiledProperty, beside values: [String: Any]
  ) throws -> Any? {
    guard !element.isOptional,
      CompositeValue.hasValue(in: values, beside: element, of: object.compiledEntity)
    else { return nil }
    let value = element.attribute?.defaultValue ?? .null
    guard element.attribute?.type == .transformable, case .data(let data) = value else {
      return value.anyValue
    }
    return try AttributeTransform.value(from: data, element, of: object.compiledEntity)
  }

  private func checkElement() throws {
    guard let attribute = property.attribute, attribute.type != .transformable else { return }
    _ = try converted(attribute)
  }

  private func unacceptable(_ wanted: String) -> ObjectError {
    let given = value.map { "\(type(of: $0))" } ?? "nil"
    return object.misuse(
      "Unacceptable type of value for property \"\(property.name)\": desired type \(wanted), "
        + "given type \(given).", property.name)
  }
}
