internal import OpenPredicates

/// One property of an entity in a schema: an attribute or a relationship.
///
/// > Reference: Apple, SchemaProperty.
public protocol SchemaProperty: Codable, Hashable {
  /// The name of the property.
  var name: String { get set }
  /// The name that the property had in the version before; its own name unless it was renamed.
  var originalName: String { get set }
  /// The Swift type of the property, `Optional` included.
  var valueType: any Any.Type { get set }
  /// Whether the property holds a value.
  var isAttribute: Bool { get }
  /// Whether the property leads to other models.
  var isRelationship: Bool { get }
  /// Whether the property is not written to the store.
  var isTransient: Bool { get }
  /// Whether the property may be nil.
  var isOptional: Bool { get }
  /// Whether no two models may have the same value.
  var isUnique: Bool { get }
}

extension SchemaProperty {
  /// Whether the property's type is optional.
  public var isOptional: Bool { valueType is any OptionalWrapping.Type }
}

extension Schema {
  /// The description of one property of a model type.
  ///
  /// > Reference: Apple, Schema.PropertyMetadata.
  public struct PropertyMetadata {
    package let name: String
    package let keypath: AnyKeyPath
    package let defaultValue: Any?
    package let metadata: (any SchemaProperty)?

    /// Creates a description of a property; `@Model` generates the calls.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - keypath: The key path of the property.
    ///   - defaultValue: The value of new models, if the declaration has one.
    ///   - metadata: The description from `@Attribute` or `@Relationship`.
    /// > Reference: Apple, init(name:keypath:defaultValue:metadata:).
    public init(
      name: String, keypath: AnyKeyPath, defaultValue: Any? = nil,
      metadata: (any SchemaProperty)? = nil
    ) {
      self.name = name
      self.keypath = keypath
      self.defaultValue = defaultValue
      self.metadata = metadata
    }
  }
}

/// The type of a property that holds several values in order.
protocol ArrayShape {
  static var element: any Any.Type { get }
}

extension Array: ArrayShape {
  static var element: any Any.Type { Element.self }
}

/// Which models a property leads to.
struct RelationshipShape {
  let destination: any PersistentModel.Type
  let isToMany: Bool
  let isOptional: Bool

  /// - Parameter type: The type of a property; nil is returned for what is no relationship.
  init?(_ type: any Any.Type) {
    let wrapped = (type as? any OptionalWrapping.Type)?.wrappedType
    let content = wrapped ?? type
    let element = (content as? any ArrayShape.Type)?.element
    guard let destination = (element ?? content) as? any PersistentModel.Type else { return nil }
    self.destination = destination
    isToMany = element != nil
    isOptional = wrapped != nil
  }
}
