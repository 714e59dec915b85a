public import OpenObjectGraph
internal import OpenObjectModel

// What the accessors of models call. Which function it is for a property is decided where the model is compiled.

extension __ModelObject {
  /// Notes a read for Observation.
  @usableFromInline
  func noteRead(_ key: __ManagedKey) { noteModelRead(key) }

  // MARK: Values that lie in one attribute

  /// Reads a property.
  @inlinable
  public func get<Value: __ModelScalar>(_ key: __ManagedKey) -> Value {
    noteRead(key)
    if let value = Value.__readOptional(self, key) { return value }
    return missingValue(key)
  }

  /// The default value of a property that is not stored; else an empty value, and an error of the next save.
  @usableFromInline
  func missingValue<Value: __ModelScalar>(_ key: __ManagedKey) -> Value {
    if takesDefault(key), let value = Value.__readOptional(self, key) { return value }
    noteMissing(key)
    return Value.__empty
  }

  /// Reads a property that may be nil.
  @inlinable
  public func get<Value: __ModelScalar>(_ key: __ManagedKey) -> Value? {
    noteRead(key)
    return Value.__readOptional(self, key)
  }

  /// Sets the initial value of a property of a new model, which already has the schema's default value.
  ///
  /// Does nothing for a model that is created for a fetched row; the key is not evaluated then.
  @inlinable
  public func initialize<Value: __ModelScalar>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value
  ) {
    guard takesInitialValues else { return }
    let key = key()
    if Value.__readOptional(self, key) != value { Value.__writeOptional(self, key, value) }
  }

  @inlinable
  public func initialize<Value: __ModelScalar>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value?
  ) {
    guard takesInitialValues else { return }
    let key = key()
    if Value.__readOptional(self, key) != value { Value.__writeOptional(self, key, value) }
  }

  /// Notes that a property without value was read whose type has no nil.
  @usableFromInline
  func noteMissing(_ key: __ManagedKey) {
    if KeyRecorder.isProbe(self) { return }
    if isDetached {
      // A new model's property that no initializer has set yet, or a model that is gone.
      return GraphLog.warning(
        "The property \(key.name) of a \(entity.name ?? "model") that is in no context was read and has no value."
      )
    }
    deferError(
      "The property has no value, but its type does not allow nil. Declare it as optional, or give it a value.",
      property: key.name)
  }

  // MARK: Relationships

  /// Reads a to-one relationship.
  @inlinable
  public func get<Value: PersistentModel>(_ key: __ManagedKey) -> Value? {
    noteRead(key)
    guard let destination = destination(key) else { return nil }
    let model = destination.model(as: Value.self)
    keepModel(model, of: destination, key)
    return model
  }

  /// The object at the end of a to-one relationship.
  @usableFromInline
  func destination(_ key: __ManagedKey) -> __ModelObject? {
    if let probe = KeyRecorder.recordedDestination(of: self, key, as: __ModelObject.self) {
      return probe
    }
    return destinationObject(key) as? __ModelObject
  }

  /// Keeps the model of a destination that was read.
  @usableFromInline
  func keepModel(_ model: AnyObject, of destination: __ModelObject, _ key: __ManagedKey) {
    keepDestinationModel(model, of: destination, key)
  }

  /// Reads a to-one relationship that always has a destination.
  public func get<Value: PersistentModel>(_ key: __ManagedKey) -> Value {
    if let value: Value = get(key) { return value }
    noteMissing(key)
    return __ModelObject.make(for: Value.self).makeModel(Value.self)
  }

  /// Sets a to-one relationship and its inverse.
  func set<Value: PersistentModel>(_ key: __ManagedKey, _ value: Value?) {
    guard let value else { return setDestinationObject(key, nil) }
    set(key, value)
  }

  func set<Value: PersistentModel>(_ key: __ManagedKey, _ value: Value) {
    meet(value.__object)
    setDestinationObject(key, related(value))
  }

  public func initialize<Value: PersistentModel>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value?
  ) {
    if takesInitialValues, let value { set(key(), value) }
  }

  public func initialize<Value: PersistentModel>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value
  ) {
    if takesInitialValues { set(key(), value) }
  }

  /// Reads a to-many relationship.
  public func get<Value: RelationshipCollection>(_ key: __ManagedKey) -> Value {
    noteRead(key)
    if KeyRecorder.isProbe(self) {
      _ = KeyRecorder.recordedDestination(of: self, key, as: __ModelObject.self)
      return Value.__make([])
    }
    let models = memberObjects(key).compactMap { object in
      (object as? __ModelObject)?.model(as: Value.PersistentElement.self)
    }
    if !models.isEmpty { keepMemberModels(KeptModels(models), key) }
    return Value.__make(models)
  }

  /// Sets the members of a to-many relationship and their inverses.
  func set<Value: RelationshipCollection>(_ key: __ManagedKey, _ value: Value) {
    let models = value.__members
    // The schema of a member in a context counts for all.
    if isDetached, let inserted = models.first(where: { !$0.__object.isDetached }) {
      meet(inserted.__object)
    }
    setMemberObjects(
      key,
      models.map { model in
        meet(model.__object)
        return related(model)
      })
  }

  public func initialize<Value: RelationshipCollection>(
    _ key: @autoclosure () -> __ManagedKey, _ value: Value
  ) {
    if takesInitialValues, !value.__members.isEmpty { set(key(), value) }
  }

  /// Brings this object and one that is to be related to it into one schema.
  private func meet(_ other: __ModelObject) {
    if !sharesModel(with: other) { DetachedGraph.unite(self, other) }
  }

  /// The object of a model that is to be related to this one's; a model that is in no context is kept until it is inserted.
  private func related<Value: PersistentModel>(_ model: Value) -> __ModelObject {
    let object = model.__object
    if object.isDetached {
      model.__bind()
      object.keptModel = model
    }
    return object
  }

  // MARK: Codable values

  /// Reads a property of any Codable type.
  @_disfavoredOverload
  public func get<Value: Decodable>(_ key: __ManagedKey) -> Value {
    get(dynamic: key, as: Value.self)
  }

  @_disfavoredOverload
  public func initialize<Value: Encodable>(_ key: @autoclosure () -> __ManagedKey, _ value: Value) {
    if takesInitialValues { set(dynamic: key(), value) }
  }

  // MARK: Transformables

  /// Reads a property whose values a transformer stores.
  public func getTransformable<Value>(_ key: __ManagedKey) -> Value {
    noteRead(key)
    let value = storedValue(key)
    if let value = value as? Value { return value }
    if let none = Any?.none as? Value { return none }
    noteMissing(key)
    return Placeholder.value(of: Value.self)
  }

  /// Sets a property whose values a transformer stores.
  func setTransformable<Value>(_ key: __ManagedKey, _ value: Value) {
    setStoredValue(key, ModelCoding.unwrapped(value))
  }

  public func initializeTransformable<Value>(_ key: @autoclosure () -> __ManagedKey, _ value: Value)
  {
    if takesInitialValues { setTransformable(key(), value) }
  }

  // MARK: Setters

  /// Sets a property of a model.
  @inlinable
  public func set<Value: __ModelScalar>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) { Value.__writeOptional(self, key, value) }

  @inlinable
  public func set<Value: __ModelScalar>(
    _ key: __ManagedKey, _ value: Value?, for model: AnyObject
  ) { Value.__writeOptional(self, key, value) }

  /// Sets a relationship to a model.
  public func set<Value: PersistentModel>(
    _ key: __ManagedKey, _ value: Value?, for model: AnyObject
  ) {
    bindIfDetached(model)
    set(key, value)
  }

  public func set<Value: PersistentModel>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) {
    bindIfDetached(model)
    set(key, value)
  }

  public func set<Value: RelationshipCollection>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) {
    bindIfDetached(model)
    set(key, value)
  }

  /// Sets a property of any Codable type.
  @_disfavoredOverload
  public func set<Value: Encodable>(_ key: __ManagedKey, _ value: Value, for model: AnyObject) {
    set(dynamic: key, value)
  }

  /// Sets a property whose values a transformer stores.
  public func setTransformable<Value>(
    _ key: __ManagedKey, _ value: Value, for model: AnyObject
  ) { setTransformable(key, value) }

  /// Connects the object of a model without context to its model, and retains the model: related objects can bring it
  /// into a context.
  private func bindIfDetached(_ model: AnyObject) {
    guard isDetached else { return }
    (model as? any PersistentModel)?.__bind()
    keptModel = model
  }

  // MARK: Access of other names

  /// Notes a read of a property for Observation; of computed and transient ones too.
  public func access<Model: PersistentModel, Member>(_ keyPath: KeyPath<Model, Member>) {
    noteModelRead(named: ModelKeys.observedName(of: keyPath, in: Model.self))
  }

  /// Runs a change of a property, and notifies its observers.
  ///
  /// - Returns: The result of the block.
  public func withMutation<Model: PersistentModel, Member, Result>(
    _ keyPath: KeyPath<Model, Member>, _ mutation: () throws -> Result
  ) rethrows -> Result {
    try changing(named: ModelKeys.observedName(of: keyPath, in: Model.self), mutation)
  }
}

/// The models of a relationship's members.
private final class KeptModels<Model> {
  private let models: [Model]
  init(_ models: [Model]) { self.models = models }
}
