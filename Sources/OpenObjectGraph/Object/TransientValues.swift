internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates

// The values of transient attributes, which rows do not contain.

extension CompiledProperty {
  /// Whether the property is a transient attribute that can have a default value.
  ///
  /// The default value of an attribute without a type may be an object of any class. Only the
  /// description of the attribute contains this object.
  var mayHaveTransientDefault: Bool {
    guard isTransient, let attribute else { return false }
    return attribute.type == .undefined || attribute.defaultValue != .null
  }
}

extension PropertyValue {
  /// Returns the value that a transient attribute was set to, and `NSNull` for nil.
  ///
  /// - Returns: The value; nil if the attribute has its default value.
  static func kept(_ property: CompiledProperty, of object: NSManagedObject) -> Any? {
    switch object.edits[property.ordinal] {
    case .boxed(let box): box.value
    case .value, .object: NSNull()
    case nil: object.extras?.values[property.ordinal]
    }
  }

  /// Returns the default value of a transient attribute; `.null` if there is none, or if the values
  /// of the object are not available.
  static func transientDefault(_ property: CompiledProperty, of object: NSManagedObject) -> Value {
    hasNoRow(object) ? .null : property.attribute?.defaultValue ?? .null
  }

  /// Returns the default value of a transient attribute without a type; nil if there is none, or if
  /// the values of the object are not available.
  static func untypedDefault(_ property: CompiledProperty, of object: NSManagedObject) -> Any? {
    if hasNoRow(object) { return nil }
    let description = object.entity.properties.first { $0.name == property.name }
    return (description as? NSAttributeDescription)?.defaultValue
  }

  /// Returns whether an object is a fault, or has neither a row nor the values of a new object.
  private static func hasNoRow(_ object: NSManagedObject) -> Bool {
    object.base == DefaultRows.emptyBase(of: object.compiledEntity)
  }
}
