internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// Converts values of types that are neither scalars nor models to the values of a managed object
/// and back.
///
/// > Concurrency: Confined to the context of the object.
enum ModelValues {
  /// Decodes the value of a property from the value of a managed object.
  ///
  /// - Parameters:
  ///   - type: The type of the property, including `Optional`.
  ///   - stored: The value in the object.
  ///   - name: The name of the property.
  ///   - object: The object.
  /// - Returns: The decoded value; `nil` if the object has no value and the type is not optional.
  /// - Throws: `ModelValueError` if the stored value does not fit the type.
  static func decode<V>(
    _ type: V.Type, _ stored: Any?, _ name: String, of object: __ModelObject
  ) throws(ModelValueError) -> V? {
    guard let form = try form(of: type, name, object) else { return stored as? V }
    guard let decodable = type as? any Decodable.Type else { return stored as? V }
    if stored == nil {
      if let none = ElementDecoder.none(type) { return none }
      // A struct with only optional properties has a value even if all of them are nil.
      guard let composite = form.composite, !composite.isEnumeration else { return nil }
    }
    do {
      func open<Content: Decodable>(_ type: Content.Type) throws(ModelValueError) -> Any {
        try ModelCoding.decode(type, from: stored, as: form, attributeName: name)
      }
      return try open(decodable) as? V
    } catch { throw error.located(entity: object.modelEntity.name, property: name) }
  }

  /// Encodes the value of a property for a managed object.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - name: The name of the property.
  ///   - object: The object.
  /// - Returns: The value for the object; `nil` if the value is `nil`.
  /// - Throws: `ModelValueError` if the value cannot be stored.
  static func encode<V>(
    _ value: V, _ name: String, of object: __ModelObject
  ) throws(ModelValueError) -> Any? {
    guard let form = try form(of: V.self, name, object), let encodable = value as? any Encodable
    else { return ModelCoding.unwrapped(value) }
    do {
      return try ModelCoding.encode(encodable, as: form, attributeName: name)
    } catch { throw error.located(entity: object.modelEntity.name, property: name) }
  }

  /// Returns the default value of a property without a usable value; `nil` if there is none.
  static func defaultValue<V>(_ type: V.Type, _ name: String, of object: __ModelObject) -> V? {
    defaultValue(of: name, object) as? V
  }

  /// Returns the default value in a property's declaration; `nil` if there is none.
  static func defaultValue(of name: String, _ object: __ModelObject) -> Any? {
    // An object that only records which properties are read has a model, but no entity.
    let type = ModelTypes.type(of: object) ?? object.knownModel.flatMap(Self.modelType)
    return type.flatMap { ModelRecord.of($0).row(named: name)?.defaultValue }
  }

  private static func modelType(of model: AnyObject) -> (any PersistentModel.Type)? {
    (model as? any PersistentModel).map { Swift.type(of: $0) }
  }

  /// Returns the form of a property's values: the form of the property's type, or the form of
  /// values that are encoded as JSON text in one column.
  ///
  /// The result is `nil` for values that a value transformer converts.
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
