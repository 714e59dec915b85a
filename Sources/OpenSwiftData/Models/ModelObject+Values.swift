internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel
internal import OpenPredicates

// Values of Codable types, and of types that are known only at run time.

extension __ModelObject {
  /// Returns a property's value in the form that the object graph stores.
  func storedValue(_ key: __ManagedKey) -> Any? {
    if KeyRecorder.isProbe(self) {
      KeyRecorder.record(key, on: self)
      return nil
    }
    return value(forKey: key.name)
  }

  /// Sets a property that is not stored to its default value, which the model of a fetched row
  /// lacks.
  ///
  /// - Returns: `false` if the property is stored, or has no default value.
  func takesDefault(_ key: __ManagedKey) -> Bool {
    guard !isDetached, let ordinal = modelEntity.ordinal(of: key.name),
      modelEntity.properties[ordinal].isTransient,
      let value = ModelValues.defaultValue(of: key.name, self)
    else { return false }
    untracked { set(any: key, value) }
    return true
  }

  func setStoredValue(_ key: __ManagedKey, _ value: Any?) {
    do {
      try setCheckedValue(value, forKey: key.name)
      FailedWrites.forget(key.name, of: self)
    } catch {
      FailedWrites.note(error, to: key.name, of: self)
    }
  }

  /// Returns the value of a property whose type is known only at run time.
  func get<Value>(dynamic key: __ManagedKey, as type: Value.Type) -> Value {
    if let scalar = Value.self as? any __ModelScalar.Type { return get(scalar, key) }
    if let optional = Value.self as? any OptionalWrapping.Type,
      let scalar = optional.wrappedType as? any __ModelScalar.Type
    {
      return getOptional(scalar, key)
    }
    noteRead(key)
    var stored = storedValue(key)
    if stored == nil, !(type is any OptionalWrapping.Type), takesDefault(key) {
      stored = storedValue(key)
    }
    do throws(ModelValueError) {
      if let value = try ModelValues.decode(type, stored, key.name, of: self) {
        return value
      }
      noteMissing(key)
    } catch {
      if !KeyRecorder.isProbe(self) {
        deferFailedRead(error)
        if let value = ModelValues.defaultValue(type, key.name, of: self) { return value }
      }
    }
    return placeholder(type, key)
  }

  /// Defers an error for a property whose stored value does not have the property's type.
  func noteOtherType(than type: any Any.Type, _ key: __ManagedKey) {
    deferFailedRead(
      ArchiveForm.refused(type).located(entity: modelEntity.name, property: key.name))
  }

  /// Returns the value that the getter of a property returns instead of a missing value.
  ///
  /// A schema does not accept a property that has neither a placeholder nor a default value.
  func placeholder<Value>(_ type: Value.Type, _ key: __ManagedKey) -> Value {
    Placeholder.known(type) ?? ModelValues.defaultValue(type, key.name, of: self)
      ?? Placeholder.value(of: type)
  }

  private func get<Scalar: __ModelScalar, Value>(_ type: Scalar.Type, _ key: __ManagedKey) -> Value
  {
    let value: Scalar = get(key)
    return value as? Value ?? Placeholder.value(of: Value.self)
  }

  private func getOptional<Scalar: __ModelScalar, Value>(
    _ type: Scalar.Type, _ key: __ManagedKey
  ) -> Value {
    let value: Scalar? = get(key)
    return value as? Value ?? Placeholder.value(of: Value.self)
  }

  /// Sets a property whose type is known only at run time.
  func set<Value>(dynamic key: __ManagedKey, _ value: Value) {
    if let scalar = Value.self as? any __ModelScalar.Type { return set(scalar, key, value) }
    if let optional = Value.self as? any OptionalWrapping.Type,
      let scalar = optional.wrappedType as? any __ModelScalar.Type
    {
      return set(scalar, key, ModelCoding.unwrapped(value))
    }
    do throws(ModelValueError) {
      setStoredValue(key, try ModelValues.encode(value, key.name, of: self))
    } catch {
      FailedWrites.note(error, to: key.name, of: self)
    }
  }

  private func set<Scalar: __ModelScalar>(_ type: Scalar.Type, _ key: __ManagedKey, _ value: Any?) {
    Scalar.__writeOptional(self, key, value as? Scalar)
  }

  /// Sets an attribute or a relationship to a value of any type.
  func set(any key: __ManagedKey, _ value: Any) {
    guard let value = ModelCoding.unwrapped(value) else { return setStoredValue(key, nil) }
    if let model = value as? any PersistentModel { return setModel(key, model) }
    if let members = value as? any RelationshipCollection { return setMembers(key, members) }
    setOpened(key, value)
  }

  private func setModel<Model: PersistentModel>(_ key: __ManagedKey, _ model: Model) {
    set(key, model)
  }

  private func setMembers<Members: RelationshipCollection>(_ key: __ManagedKey, _ members: Members)
  {
    set(key, members)
  }

  private func setOpened(_ key: __ManagedKey, _ value: Any) {
    func open<Value>(_ value: Value) { set(dynamic: key, value) }
    _openExistential(value, do: open)
  }
}
