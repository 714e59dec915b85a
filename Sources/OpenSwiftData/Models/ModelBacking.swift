internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates

/// Backing data that reads and writes the values in the model's managed object.
public struct __ModelBacking<Model: PersistentModel>: BackingData {
  let object: __ModelObject

  /// Creates backing data for the managed object of a model.
  ///
  /// - Parameter object: The managed object.
  public init(_ object: __ModelObject) { self.object = object }

  public init(for modelType: Model.Type) { object = __ModelObject.make(for: modelType) }

  public var persistentModelID: PersistentIdentifier? {
    get { PersistentIdentifier(of: object) }
    // Only the store assigns identifiers.
    set { object.deferError("The identifier of a model cannot be set.") }
  }

  public var metadata: Any { object.entity }

  public var __object: __ModelObject? { object }

  private func key(_ keyPath: AnyKeyPath) -> __ManagedKey {
    ModelKeys.key(of: keyPath, in: Model.self, object)
  }

  @_disfavoredOverload
  public func getValue<Value: Decodable>(forKey keyPath: KeyPath<Model, Value>) -> Value {
    object.get(dynamic: key(keyPath), as: Value.self)
  }

  public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value>) -> Value {
    object.get(key(keyPath))
  }

  public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Model, Value?>) -> Value? {
    object.get(key(keyPath))
  }

  public func getValue<Value: RelationshipCollection, Other>(
    forKey keyPath: KeyPath<Model, Value>
  ) -> Value where Other == Value.PersistentElement {
    object.get(key(keyPath))
  }

  public func getTransformableValue<Value>(forKey keyPath: KeyPath<Model, Value>) -> Value {
    object.getTransformable(key(keyPath))
  }

  @_disfavoredOverload
  public func setValue<Value: Encodable>(
    forKey keyPath: KeyPath<Model, Value>, to newValue: Value
  ) {
    object.set(dynamic: key(keyPath), newValue)
  }

  public func setValue<Value: PersistentModel>(
    forKey keyPath: KeyPath<Model, Value>, to newValue: Value
  ) {
    object.set(key(keyPath), newValue)
  }

  public func setValue<Value: PersistentModel>(
    forKey keyPath: KeyPath<Model, Value?>, to newValue: Value?
  ) {
    object.set(key(keyPath), newValue)
  }

  public func setValue<Value: RelationshipCollection, Other>(
    forKey keyPath: KeyPath<Model, Value>, to newValue: Value
  ) where Other == Value.PersistentElement {
    object.set(key(keyPath), newValue)
  }

  public func setTransformableValue<Value>(
    forKey keyPath: KeyPath<Model, Value>, to newValue: Value
  ) {
    object.setTransformable(key(keyPath), newValue)
  }
}

extension PersistentModel {
  /// Returns the value of a persisted property.
  ///
  /// If the stored value is missing or cannot be decoded, the method returns an empty value or the
  /// default value. Saves of the context then throw an error until the context is rolled back.
  ///
  /// - Parameter keyPath: The key path to the property.
  @_disfavoredOverload
  public func getValue<Value: Decodable>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    __ModelBacking<Self>(__object).getValue(forKey: keyPath)
  }

  /// Returns the destination of a required to-one relationship.
  ///
  /// If there is no destination, the method returns a new model. Saves of the context then throw an
  /// error until the context is rolled back.
  ///
  /// - Parameter keyPath: The key path to the relationship.
  public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    __ModelBacking<Self>(__object).getValue(forKey: keyPath)
  }

  /// Returns the destination of an optional to-one relationship; `nil` if there is no destination.
  ///
  /// - Parameter keyPath: The key path to the relationship.
  public func getValue<Value: PersistentModel>(forKey keyPath: KeyPath<Self, Value?>) -> Value? {
    __ModelBacking<Self>(__object).getValue(forKey: keyPath)
  }

  /// Returns the members of a to-many relationship.
  ///
  /// - Parameter keyPath: The key path to the relationship.
  public func getValue<Value: RelationshipCollection, Other>(
    forKey keyPath: KeyPath<Self, Value>
  ) -> Value where Other == Value.PersistentElement {
    __ModelBacking<Self>(__object).getValue(forKey: keyPath)
  }

  /// Returns the value of a property that has a value transformer.
  ///
  /// If the stored value is missing or has another type, the method returns an empty value or the
  /// default value. Saves of the context then throw an error until the context is rolled back.
  ///
  /// - Parameter keyPath: The key path to the property.
  public func getTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>) -> Value {
    __ModelBacking<Self>(__object).getTransformableValue(forKey: keyPath)
  }

  /// Sets the value of a persisted property.
  ///
  /// If the value cannot be stored, the property does not change, and the next save throws
  /// `ModelValueError`. If the model is not inserted, the first save after the insertion throws the
  /// error, unless the program sets a valid value before the insertion.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the property.
  ///   - value: The new value.
  @_disfavoredOverload
  public func setValue<Value: Encodable>(forKey keyPath: KeyPath<Self, Value>, to value: Value) {
    __ModelBacking<Self>(__object).setValue(forKey: keyPath, to: value)
  }

  /// Sets the destination of a required to-one relationship.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the relationship.
  ///   - value: The new destination.
  public func setValue<Value: PersistentModel>(
    forKey keyPath: KeyPath<Self, Value>, to value: Value
  ) {
    __object.set(key(keyPath), value, for: self)
  }

  /// Sets the destination of an optional to-one relationship.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the relationship.
  ///   - value: The new destination; `nil` to remove the destination.
  public func setValue<Value: PersistentModel>(
    forKey keyPath: KeyPath<Self, Value?>, to value: Value?
  ) {
    __object.set(key(keyPath), value, for: self)
  }

  /// Sets the members of a to-many relationship.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the relationship.
  ///   - value: The new members.
  public func setValue<Value: RelationshipCollection, Other>(
    forKey keyPath: KeyPath<Self, Value>, to value: Value
  ) where Other == Value.PersistentElement {
    __object.set(key(keyPath), value, for: self)
  }

  /// Sets the value of a property that has a value transformer.
  ///
  /// The property accepts every value. If the value cannot be archived, each save after the
  /// insertion of the model throws `CocoaError` 1550 until another value is set.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to the property.
  ///   - value: The new value.
  public func setTransformableValue<Value>(forKey keyPath: KeyPath<Self, Value>, to value: Value) {
    __ModelBacking<Self>(__object).setTransformableValue(forKey: keyPath, to: value)
  }

  private func key(_ keyPath: AnyKeyPath) -> __ManagedKey {
    ModelKeys.key(of: keyPath, in: Self.self, __object)
  }
}

/// The values of backing data of another type.
struct ForeignValues<Model: PersistentModel> {
  private let source: any BackingData<Model>

  init(_ source: any BackingData<Model>) { self.source = source }

  func copy(to object: __ModelObject) {
    for property in Schema.ownProperties(of: Model.self) { copy(property, to: object) }
  }

  private func copy(_ property: Schema.PropertyMetadata, to object: __ModelObject) {
    let isTransformable = (property.metadata as? Schema.Attribute)?.isTransformable == true
    func copy<Value>(_ type: Value.Type) {
      guard let path = property.keypath as? KeyPath<Model, Value> else { return }
      let key = __ModelKey(property.name)
      if isTransformable {
        object.setTransformable(key, source.getTransformableValue(forKey: path))
      } else {
        object.set(any: key, value(at: path))
      }
    }
    func open<Value>(_ type: Value.Type) { copy(type) }
    _openExistential(property.valueType, do: open)
  }

  /// Reads a property with the method of the backing data for the property's type.
  private func value<Value>(at path: KeyPath<Model, Value>) -> Any {
    let wrapped = (Value.self as? any OptionalWrapping.Type)?.wrappedType
    if let type = Value.self as? any PersistentModel.Type { return model(type, path) }
    if let type = wrapped as? any PersistentModel.Type { return optionalModel(type, path) }
    if let type = Value.self as? any RelationshipCollection.Type { return members(type, path) }
    if let type = Value.self as? any Decodable.Type { return attribute(type, path) }
    return source.getTransformableValue(forKey: path)
  }

  private func model<Value: PersistentModel>(_ type: Value.Type, _ path: AnyKeyPath) -> Any {
    (path as? KeyPath<Model, Value>).map { source.getValue(forKey: $0) } as Any
  }

  private func optionalModel<Value: PersistentModel>(
    _ type: Value.Type, _ path: AnyKeyPath
  ) -> Any {
    (path as? KeyPath<Model, Value?>).map { source.getValue(forKey: $0) } as Any
  }

  private func members<Value: RelationshipCollection>(
    _ type: Value.Type, _ path: AnyKeyPath
  ) -> Any {
    (path as? KeyPath<Model, Value>).map { source.getValue(forKey: $0) } as Any
  }

  private func attribute<Value: Decodable>(_ type: Value.Type, _ path: AnyKeyPath) -> Any {
    (path as? KeyPath<Model, Value>).map { source.getValue(forKey: $0) } as Any
  }
}
