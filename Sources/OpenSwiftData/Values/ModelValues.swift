internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The values of properties of types that are neither scalars nor models: what the managed object
/// holds for them.
///
/// > Concurrency: Confined to the object's context.
enum ModelValues {
  /// The value behind what an object holds.
  ///
  /// - Parameters:
  ///   - type: The type of the property, `Optional` included.
  ///   - stored: What the object holds.
  ///   - name: The name of the property.
  ///   - object: The object.
  /// - Returns: nil where the store has nothing and the type is not optional.
  /// - Throws: `ModelValueError` for what the type cannot have.
  static func decode<V>(
    _ type: V.Type, _ stored: Any?, _ name: String, of object: __ModelObject
  ) throws(ModelValueError) -> V? {
    guard let form = try form(of: type, name, object) else { return stored as? V }
    guard let decodable = type as? any Decodable.Type else { return stored as? V }
    if stored == nil {
      if let none = ElementDecoder.none(type) { return none }
      // A struct whose properties are all optional has a value all the same.
      guard let composite = form.composite, !composite.isEnumeration else { return nil }
    }
    do {
      func open<Content: Decodable>(_ type: Content.Type) throws(ModelValueError) -> Any {
        try ModelCoding.decode(type, from: stored, as: form, attributeName: name)
      }
      return try open(decodable) as? V
    } catch { throw error.located(entity: object.modelEntity.name, property: name) }
  }

  /// What an object holds for a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The name of the property.
  ///   - object: The object.
  /// - Returns: nil for nil.
  /// - Throws: `ModelValueError` for a value that cannot be stored.
  static func encode<V>(
    _ value: V, _ name: String, of object: __ModelObject
  ) throws(ModelValueError) -> Any? {
    guard let form = try form(of: V.self, name, object), let encodable = value as? any Encodable
    else { return ModelCoding.unwrapped(value) }
    do {
      return try ModelCoding.encode(encodable, as: form, attributeName: name)
    } catch { throw error.located(entity: object.modelEntity.name, property: name) }
  }

  /// The default value of a property whose value no longer decodes; nil where it has none.
  static func defaultValue<V>(_ type: V.Type, _ name: String, of object: __ModelObject) -> V? {
    defaultValue(of: name, object) as? V
  }

  /// The default value that a property's declaration has; nil without one.
  static func defaultValue(of name: String, _ object: __ModelObject) -> Any? {
    ModelTypes.type(of: object).flatMap { ModelRecord.of($0).row(named: name)?.defaultValue }
  }

  /// The form that the property's attribute has: that of its type, or the whole encoded value; nil
  /// for values that a transformer stores.
  private static func form(
    of type: any Any.Type, _ name: String, _ object: __ModelObject
  ) throws(ModelValueError) -> StoredForm? {
    let form = try StoredForm.of(type)
    let entity = object.modelEntity
    let attribute = entity.ordinal(of: name).flatMap { entity.properties[$0].attribute?.type }
    switch (attribute, form.content) {
    case (.transformable, .archive): return form
    case (.transformable, _): return nil
    case (.composite, _), (.binaryData, .json), (nil, _): return form
    case (.binaryData, .scalar(.data)): return form
    case (.binaryData, _): return try StoredForm.whole(type)
    default: return form
    }
  }
}
