internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

/// A pointer to a value that a validator may replace; the type of this name exists on Apple systems only.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

// Validation of one value: brought to the property's type, checked against the model, then by the class's
// method for the property.

extension NSManagedObject {
  /// What ``validateValue(_:forKey:)`` does unless it is overridden.
  final func checkValue(_ value: UnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    if let ordinal = compiledEntity.ordinal(of: key) {
      let property = compiledEntity.properties[ordinal]
      try bringToType(value, property)
      try checkAgainstModel(value.pointee, property)
    }
    guard type(of: self).__validatesMore else { return }
    guard let context else { return try __validate(value, forKey: key) }
    try context.validatorNesting.begin()
    defer { context.validatorNesting.end() }
    try __validate(value, forKey: key)
  }

  /// Replaces a value by the same one as the property has it, such as a number for a truth value.
  private final func bringToType(
    _ value: UnsafeMutablePointer<AnyObject?>, _ property: CompiledProperty
  ) throws {
    if value.pointee is NSNull { value.pointee = nil }
    guard let given = value.pointee else { return }
    switch property.kind {
    case .relationship(let relationship):
      guard relationship.isToMany || given is NSManagedObject,
        !relationship.isToMany || Self.objects(in: given) != nil
      else { throw unfit(given, property) }
    case .attribute(let attribute):
      guard property.hasPlainValues else { return }
      guard let fitting = AttributeConversion.value(given, as: attribute.type) else {
        throw unfit(given, property)
      }
      if let failure = UnfitValue(fitting, for: property, of: compiledEntity) {
        throw failure.error(for: self)
      }
      if fitting != Value(any: given) { value.pointee = fitting.anyValue as AnyObject? }
    }
  }

  private final func unfit(_ value: AnyObject, _ property: CompiledProperty) -> CocoaError {
    CocoaError.validation(
      NSManagedObjectValidationError,
      "\(property.name) cannot have a value of the type \(type(of: value)).", object: self,
      key: property.name, value: value)
  }

  private final func checkAgainstModel(_ value: AnyObject?, _ property: CompiledProperty) throws {
    if let relationship = property.relationship, relationship.isToMany {
      let count = Self.objects(in: value)?.count ?? 0
      try checkCount(count, property, relationship)
    } else if value == nil, compiledEntity.isRequired(property), property.isSetByPrograms {
      throw required(property)
    }
    try checkConditions(on: value, property)
  }

  /// Validates a property's current value, and takes over what a validator puts in its place.
  final func validateCurrentValue(_ property: CompiledProperty) throws {
    if property.attribute?.derivation != nil { return }
    if property.relationship?.isToMany == true, !hasOwnMembers(property) { return }
    let current = readValue(forKey: property.name) as AnyObject?
    var value = current
    try validateValue(&value, forKey: property.name)
    guard value !== current, !isCurrent(value, property) else { return }
    try setCheckedValue(value, forKey: property.name)
  }

  /// Whether a property has a value already.
  private final func isCurrent(_ value: AnyObject?, _ property: CompiledProperty) -> Bool {
    if let attribute = property.attribute, property.hasPlainValues {
      return AttributeConversion.value(value, as: attribute.type) == packedValue(property)
    }
    let current = readValue(forKey: property.name) as AnyObject?
    guard let value, let current = current as? NSObject else { return value === current }
    return current.isEqual(value)
  }
}

extension CompiledProperty {
  /// Whether a missing value is the program's fault: it is neither computed nor made of others.
  fileprivate var isSetByPrograms: Bool {
    !isTransient && attribute?.derivation == nil && attribute?.type != .composite
  }

  /// Whether its values are of a type that the model names, and are kept as they are.
  fileprivate var hasPlainValues: Bool {
    guard let attribute, !isTransient else { return false }
    return attribute.type != .transformable && attribute.type != .composite
      && attribute.type != .undefined
  }
}
