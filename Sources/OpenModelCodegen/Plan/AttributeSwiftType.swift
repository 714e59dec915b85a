/// The Swift types that Xcode generates for attributes.
///
/// Properties that are not scalars are always optional, regardless of the model, because a new
/// object may lack their values until it is saved.
enum AttributeSwiftType {
  /// Returns the type of an attribute's property, or nil if its custom class name is not a valid
  /// type.
  static func text(for attribute: AttributeElement, _ names: TypeNames) -> String? {
    if attribute.usesScalar, let scalar = scalars[attribute.type] { return names.text(scalar) }
    if attribute.type == "Transformable", let custom = attribute.customClassName {
      return TypeText.optional(of: custom)
    }
    if attribute.type == "Composite" { return "[\(names.text("String")): Any]?" }
    return names.text(objects[attribute.type] ?? "NSObject") + "?"
  }

  private static let scalars = [
    "Integer 16": "Int16", "Integer 32": "Int32", "Integer 64": "Int64", "Double": "Double",
    "Float": "Float", "Boolean": "Bool", "Date": "TimeInterval",
  ]

  private static let objects = [
    "Integer 16": "NSNumber", "Integer 32": "NSNumber", "Integer 64": "NSNumber",
    "Double": "NSNumber", "Float": "NSNumber", "Boolean": "NSNumber",
    "Decimal": "NSDecimalNumber", "String": "String", "Date": "Date", "Binary": "Data",
    "Binary Data": "Data", "UUID": "UUID", "URI": "URL", "ObjectID": "NSManagedObjectID",
  ]
}
