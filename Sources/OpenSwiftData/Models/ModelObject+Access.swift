public import OpenObjectGraph
internal import OpenObjectModel

// The functions that models' accessors call. The compiler selects the overload for each property.

extension __ModelObject {
  /// Records a read of a property for Observation.
  @usableFromInline
  func noteRead(_ key: __ManagedKey) { noteModelRead(key) }

  // MARK: Values in one attribute

  /// Returns the value of a property that is not optional.
  ///
  /// If a stored property has no value, the method returns an empty value and defers an error. If
  /// the model has no context, the method logs a warning instead of deferring an error.
  ///
  /// - Parameter key: The key of the property.
  @inlinable
  public func get<Value: __ModelScalar>(_ key: __ManagedKey) -> Value {
    noteRead(key)
    if let value = Value.__readOptional(self, key) { return value }
    return missingValue(key)
  }

  /// Returns the default value of a property that is not stored. For any other property, returns an
  /// empty value and defers an error.
  @usableFromInline
  func missingValue<Value: __ModelScalar>(_ key: __ManagedKey) -> Value {
    if takesDefault(key), let value = Value.__readOptional(self, key) { return value }
    noteMissing(key)
    return Value.__empty
  }

  /// Returns the value of an optional property; `nil` if the property has no value.
  ///
  /// - Parameter key: The key of the property.
  @inlinable
  public func get<Value: __ModelScalar>(_ key: __ManagedKey) -> Value? {
    noteRead(key)
    return Value.__readOptional(self, key)
  }

  /// Sets the initial value of a new model's property, unless the property already has the value.
  ///
  /// For a model of a fetched row, the method does nothing and does not evaluate the key.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The initial value.
  @inlinable
  public func initialize<Value: __ModelScalar>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value
  ) {
    guard takesInitialValues else { return }
    Value.initialize(self, key(), value)
  }

  /// Sets the initial value of a new model's optional property; does nothing for a fetched row.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The initial value; `nil` for no value.
  @inlinable
  public func initialize<Value: __ModelScalar>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value?
  ) {
    guard takesInitialValues else { return }
    Value.initialize(self, key(), value)
  }

  /// Defers an error for a property without a value whose type is not optional. If the object has
  /// no context, the function logs a warning instead.
  @usableFromInline
  func noteMissing(_ key: __ManagedKey) {
    if KeyRecorder.isProbe(self) { return }
    if isDetached {
      // No initializer has set the property of a new model yet, or the model was deleted.
      return GraphLog.warning(
        "The property \(key.name) of a \(entity.name ?? "model") was read, but it has no value. The model is not in a context."
      )
    }
    deferFailedRead(
      ModelValueError(
        .missingValue,
        "The property has no value, but its type does not allow nil. The row may be older than the property. Declare the "
          + "property as optional, or set it in all models that lack it before it is read, for example in didMigrate."
      ).located(entity: modelEntity.name, property: key.name))
  }

  // MARK: Relationships

  /// Returns the destination of an optional to-one relationship; `nil` if there is no destination.
  ///
  /// - Parameter key: The key of the relationship.
  @inlinable
  public func get<Value: PersistentModel>(_ key: __ManagedKey) -> Value? {
    noteRead(key)
    guard let destination = destination(key) else { return nil }
    let model = destination.model(as: Value.self)
    keepModel(model, of: destination, key)
    return model
  }

  /// Returns the object of a to-one relationship's destination. Only a detached object is a probe.
  @usableFromInline
  func destination(_ key: __ManagedKey) -> __ModelObject? {
    if isDetached, let probe = KeyRecorder.recordedDestination(of: self, key, as: Self.self) {
      return probe
    }
    return ModelRelationship.destination(key, of: self) as? __ModelObject
  }

  /// Returns the destination of a required to-one relationship.
  ///
  /// If there is no destination, the method returns a new model and defers an error. If the model
  /// has no context, the method logs a warning instead of deferring an error.
  ///
  /// - Parameter key: The key of the relationship.
  public func get<Value: PersistentModel>(_ key: __ManagedKey) -> Value {
    if let value: Value = get(key) { return value }
    noteMissing(key)
    return __ModelObject.make(for: Value.self).makeModel(Value.self)
  }

  /// Sets a to-one relationship and its inverse.
  @usableFromInline func set<Value: PersistentModel>(_ key: __ManagedKey, _ value: Value?) {
    guard let value else { return ModelRelationship.setDestination(key, of: self, to: nil) }
    set(key, value)
  }

  @usableFromInline func set<Value: PersistentModel>(_ key: __ManagedKey, _ value: Value) {
    meet(value.__object)
    ModelRelationship.setDestination(key, of: self, to: related(value))
    value.__object.keepUntilSave(value)
  }

  /// Sets the initial destination of a new model's optional to-one relationship.
  ///
  /// - Parameters:
  ///   - key: The key of the relationship.
  ///   - value: The initial destination; `nil` for no destination.
  @inlinable public func initialize<Value: PersistentModel>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value?
  ) {
    guard takesInitialValues else { return }
    let key = key()
    if value != nil || hasDestinations(key) { set(key, value) }
  }

  /// Sets the initial destination of a new model's required to-one relationship.
  ///
  /// - Parameters:
  ///   - key: The key of the relationship.
  ///   - value: The initial destination.
  @inlinable public func initialize<Value: PersistentModel>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value
  ) {
    if takesInitialValues { set(key(), value) }
  }

  /// Returns the members of a to-many relationship.
  ///
  /// - Parameter key: The key of the relationship.
  public func get<Value: RelationshipCollection>(_ key: __ManagedKey) -> Value {
    noteRead(key)
    if KeyRecorder.isProbe(self) {
      _ = KeyRecorder.recordedDestination(of: self, key, as: __ModelObject.self)
      return Value.__make([])
    }
    let models = ModelRelationship.members(key, of: self).compactMap { object in
      (object as? __ModelObject)?.model(as: Value.PersistentElement.self)
    }
    if !models.isEmpty { ModelRelationship.keepModels(KeptModels(models), key, in: self) }
    return Value.__make(models)
  }

  /// Sets the members of a to-many relationship and their inverses.
  @usableFromInline func set<Value: RelationshipCollection>(_ key: __ManagedKey, _ value: Value) {
    let models = value.__members
    // If a member is in a context, its schema applies to all members.
    if isDetached, let inserted = models.first(where: { !$0.__object.isDetached }) {
      meet(inserted.__object)
    }
    ModelRelationship.setMembers(
      key, of: self,
      to: models.map { model in
        meet(model.__object)
        return related(model)
      })
  }

  /// Sets the initial members of a new model's to-many relationship.
  ///
  /// - Parameters:
  ///   - key: The key of the relationship.
  ///   - value: The initial members.
  @inlinable public func initialize<Value: RelationshipCollection>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value
  ) {
    guard takesInitialValues else { return }
    let key = key()
    if !value.__members.isEmpty || hasDestinations(key) { set(key, value) }
  }

  /// Moves this object and an object that becomes related to it into one schema.
  private func meet(_ other: __ModelObject) {
    if !sharesModel(with: other) { DetachedGraph.unite(self, other) }
  }

  /// Returns the object of a model that becomes related to this object's model. A model without a
  /// context is retained until its insertion.
  private func related<Value: PersistentModel>(_ model: Value) -> __ModelObject {
    let object = model.__object
    if object.isDetached {
      model.__bind()
      object.keptModel = model
    }
    return object
  }

  // MARK: Codable values

  /// Returns the value of a property of any `Codable` type.
  ///
  /// If the stored value is missing or cannot be decoded, the method returns an empty value or the
  /// default value, and defers an error.
  ///
  /// - Parameter key: The key of the property.
  @_disfavoredOverload
  public func get<Value: Decodable>(_ key: __ManagedKey) -> Value {
    get(dynamic: key, as: Value.self)
  }

  /// Sets the initial value of a property of any `Encodable` type in a new model.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The initial value; if it cannot be stored, the first save throws `ModelValueError`.
  @_disfavoredOverload
  public func initialize<Value: Encodable>(_ key: @autoclosure () -> __ManagedKey, _ value: Value) {
    if takesInitialValues { set(dynamic: key(), value) }
  }

  // MARK: Transformables

  /// Returns the value of a property that has a value transformer.
  ///
  /// If the stored value is missing or has another type, the method returns an empty value or the
  /// default value, and defers an error.
  ///
  /// - Parameter key: The key of the property.
  public func getTransformable<Value>(_ key: __ManagedKey) -> Value {
    noteRead(key)
    let stored = storedValue(key)
    if let value = stored as? Value { return value }
    if stored == nil { noteMissing(key) } else { noteOtherType(than: Value.self, key) }
    return placeholder(Value.self, key)
  }

  /// Sets a property that has a value transformer.
  func setTransformable<Value>(_ key: __ManagedKey, _ value: Value) {
    setStoredValue(key, ModelCoding.unwrapped(value))
  }

  /// Sets the initial value of a new model's property that has a value transformer.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The initial value; if it cannot be archived, saves throw `CocoaError` 1550.
  public func initializeTransformable<Value>(_ key: @autoclosure () -> __ManagedKey, _ value: Value)
  {
    if takesInitialValues { setTransformable(key(), value) }
  }

  // MARK: Setters

  /// Sets a model's property that is not optional.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The new value.
  ///   - model: The model of this object; not used.
  @inlinable
  public func set<Value: __ModelScalar>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) { Value.__writeOptional(self, key, value) }

  /// Sets a model's optional property.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The new value; `nil` for no value.
  ///   - model: The model of this object; not used.
  @inlinable
  public func set<Value: __ModelScalar>(
    _ key: __ManagedKey, _ value: Value?, for model: AnyObject
  ) { Value.__writeOptional(self, key, value) }

  /// Sets the destination of an optional to-one relationship; `nil` removes the destination.
  ///
  /// - Parameters:
  ///   - key: The key of the relationship.
  ///   - value: The destination; `nil` to remove the destination.
  ///   - model: The model of this object. An object without a context retains the model, unless
  ///     the value is `nil`.
  public func set<Value: PersistentModel>(
    _ key: __ManagedKey, _ value: Value?, for model: AnyObject
  ) {
    if value != nil { bindIfDetached(model) }
    set(key, value)
  }

  /// Sets the destination of a required to-one relationship.
  ///
  /// - Parameters:
  ///   - key: The key of the relationship.
  ///   - value: The destination.
  ///   - model: The model of this object. An object without a context retains the model.
  public func set<Value: PersistentModel>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) {
    bindIfDetached(model)
    set(key, value)
  }

  /// Sets the members of a to-many relationship.
  ///
  /// - Parameters:
  ///   - key: The key of the relationship.
  ///   - value: The members.
  ///   - model: The model of this object. An object without a context retains the model, unless
  ///     there are no members.
  public func set<Value: RelationshipCollection>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) {
    if !value.__members.isEmpty { bindIfDetached(model) }
    set(key, value)
  }

  /// Sets a property of any `Encodable` type. If the value cannot be stored, the property does not
  /// change, and the next save throws `ModelValueError`.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The new value.
  ///   - model: The model of this object; not used.
  @_disfavoredOverload
  public func set<Value: Encodable>(_ key: __ManagedKey, _ value: Value, for model: AnyObject) {
    set(dynamic: key, value)
  }

  /// Sets a property that has a value transformer. If the value cannot be archived, each save
  /// throws `CocoaError` 1550 until another value is set.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - value: The new value.
  ///   - model: The model of this object; not used.
  public func setTransformable<Value>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) { setTransformable(key, value) }

  /// Connects an object without a context to its model, and retains the model, because the
  /// insertion of a related object can also insert this object.
  private func bindIfDetached(_ model: AnyObject) {
    guard isDetached else { return }
    (model as? any PersistentModel)?.__bind()
    keptModel = model
  }

  // MARK: Access by key path

  /// Records a read of a persisted, computed or transient property for Observation.
  ///
  /// - Parameter keyPath: The key path of the property.
  public func access<Model: PersistentModel, Member>(_ keyPath: KeyPath<Model, Member>) {
    noteModelRead(named: ModelKeys.observedName(of: keyPath, in: Model.self))
  }

  /// Calls a closure that changes a property, and notifies the observers of the property.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property.
  ///   - mutation: The closure to call.
  /// - Returns: The result of the closure.
  /// - Throws: Any error that the closure throws.
  public func withMutation<Model: PersistentModel, Member, Result>(
    _ keyPath: KeyPath<Model, Member>, _ mutation: () throws -> Result
  ) rethrows -> Result {
    try changing(named: ModelKeys.observedName(of: keyPath, in: Model.self), mutation)
  }
}

/// The retained models of a relationship's members.
private final class KeptModels<Model> {
  private let models: [Model]
  init(_ models: [Model]) { self.models = models }
}
