internal import Foundation
internal import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

// Access to properties by name. Apple's methods cannot throw: an invalid name or value changes
// nothing, and the next save throws. The checked methods are additions.

extension NSManagedObject: KeyValueReadable, __KeyPathListing {
  /// Returns the value of one key in a key path.
  ///
  /// Calls ``value(forKey:)``, which subclasses may override.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil for null; `NoSuchKey.marker` for an unknown key.
  public final func __stepValue(forKey key: String) -> Any? {
    if let value = value(forKey: key) { return value }
    if compiledEntity.ordinal(of: key) != nil { return nil }
    return readableValue(forKey: key) is NoSuchKey ? NoSuchKey.marker : nil
  }

  /// Returns the value of a property without calling the class's own accessor for the property.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value; nil for null, for an unknown name, and for a value that cannot be read.
  ///   After a failed read, saves throw the error of the read.
  public final func readValue(forKey key: String) -> Any? {
    let value = PropertyValue.named(key, of: self)
    if value is NoSuchKey {
      reportUnknown(key)
      return nil
    }
    return value
  }

  /// Logs that the object has no value for a key.
  final func reportUnknown(_ key: String) {
    reportMisuse(PropertyAssignment.complaint(key, self), key, blocksSave: false)
  }

  /// The current value of a packed property: the edit, or else the committed value, or the default
  /// value of a transient attribute.
  final func packedValue(_ property: CompiledProperty) -> Value {
    switch edits[property.ordinal] {
    case .value(let value): return value
    case .object(let object): return .object(object.reference)
    case .boxed: return .null
    case nil:
      if property.isTransient { return PropertyValue.transientDefault(property, of: self) }
      return RowValue.value(of: property, in: self)
    }
  }

  /// Sets a property by name; the next save throws any error.
  final func writeValue(_ value: Any?, forKey key: String) {
    do {
      try setCheckedValue(value, forKey: key)
    } catch {
      note(error)
    }
  }

  /// Returns the value of a property by name, or throws an error if the value cannot be read.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value, as `value(forKey:)` returns it; nil for null.
  /// - Throws: The following errors:
  ///   - `ObjectError`: The object has no property with this name, and `value(forUndefinedKey:)`
  ///     returns nil.
  ///   - `CocoaError` with the code of the store's error (see `Docs/Errors.md`), or the error of a
  ///     custom store: A store cannot be read.
  ///   - The errors of `fetch(_:)`: The property is a fetched property, and its fetch fails.
  ///   - `StrictLoadingError`: Strict loading does not allow the read.
  ///   - `ModelError`: The value of a transformable attribute cannot be decoded.
  public final func checkedValue(forKey key: String) throws -> Any? {
    try PropertyValue.checked(key, of: self)
  }

  /// Sets a property by name, or throws an error without changing anything.
  ///
  /// If a relationship cannot refer to an object because the object has another entity or another
  /// context, the method changes nothing, and the next save throws `ObjectError`.
  ///
  /// This is an addition to Apple's API.
  ///
  /// - Parameters:
  ///   - value: The new value; nil or `NSNull` for null.
  ///   - key: The name of the property.
  /// - Throws: `ObjectError` with the names of the entity and the property, if there is no such
  ///   property or if the value has the wrong type.
  public final func setCheckedValue(_ value: Any?, forKey key: String) throws {
    try PropertyAssignment(value, to: key, of: self).perform()
  }

  // MARK: Accesses

  /// Begins an access in a custom accessor: fires the object's fault and records the read for
  /// Observation.
  ///
  /// - Parameter key: The name of a property, or any other name for a value that is not in the
  ///   model. If the key is nil, the method does not record the read.
  public final func willAccessValue(forKey key: String?) {
    realizeIfNeeded()
    if let key { noteRead(ObservedKey(key, of: self)) }
  }

  /// Does nothing; exists for custom accessors written for Apple's framework, which call this
  /// method after an access.
  public final func didAccessValue(forKey key: String?) {}

  /// Begins a change made through primitive accessors, and notifies the property's observers that
  /// the value will change.
  ///
  /// Call ``didChangeValue(forKey:)`` after the change.
  ///
  /// - Parameter key: The name of a property, or any other name for a value that is not in the
  ///   model.
  public final func willChangeValue(forKey key: String) {
    realizeIfNeeded()
    takeEventBaseline()
    changeObservers?.willChange(ObservedKey(key, of: self), in: self)
  }

  /// Ends a change made through primitive accessors.
  ///
  /// Marks the object as changed if the model has the property, and notifies the property's
  /// observers that the value has changed.
  ///
  /// - Parameter key: The same name as in ``willChangeValue(forKey:)``.
  public final func didChangeValue(forKey key: String) {
    if compiledEntity.ordinal(of: key) != nil { markChanged() }
    changeObservers?.didChange(ObservedKey(key, of: self), in: self)
  }

  // MARK: Primitive access

  /// Returns the current value of a property, bypassing custom accessors.
  ///
  /// Reading an attribute does not fire the object's fault. Reading a to-one relationship fires the
  /// fault. Reading a to-many relationship loads its members.
  ///
  /// - Parameter key: The name of the property.
  /// - Returns: The value; nil for null, for an unknown name, and for an attribute of an object
  ///   whose row has not been read.
  /// > Reference: Apple, primitiveValue(forKey:). Differs: D-406.
  public final func primitiveValue(forKey key: String) -> Any? {
    guard let ordinal = compiledEntity.ordinal(of: key) else { return nil }
    return PropertyValue.current(compiledEntity.properties[ordinal], of: self)
  }

  /// Sets the value of a property without marking the object as changed.
  ///
  /// The method updates the inverses of a to-many relationship, but not the inverse of a to-one
  /// relationship.
  ///
  /// - Parameters:
  ///   - value: The new value; nil or `NSNull` for null. A value of the wrong type changes nothing,
  ///     and the next save throws `ObjectError`.
  ///   - key: The name of the property; an unknown name is ignored.
  /// > Reference: Apple, setPrimitiveValue(_:forKey:). Differs: D-406.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let ordinal = compiledEntity.ordinal(of: key) else { return }
    untracked { PropertyAssignment.setPrimitive(value, ordinal, of: self) }
  }

  /// Sets several properties by name, as ``setValue(_:forKey:)`` does.
  ///
  /// - Parameter keyedValues: The values by property name; `NSNull` for nil.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for key in keyedValues.keys.sorted() { setValue(keyedValues[key], forKey: key) }
  }

  /// Returns the values of several properties, reading each with ``value(forKey:)``.
  ///
  /// - Parameter keys: The names of the properties.
  /// - Returns: The values by name, with `NSNull` for nil and for an unknown name.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }

  /// Returns the value at the end of a dotted key path.
  ///
  /// A key that follows a to-many relationship is read from each member. The result is an `NSSet`,
  /// or an `NSOrderedSet` for an ordered relationship, that contains each distinct value once and
  /// omits nil. The collection operators whose names contain `union` return arrays that omit
  /// nil, except `@distinctUnionOfSets`, which returns an `NSSet`. `@avg` counts nil as 0.
  ///
  /// - Parameter keyPath: The keys and collection operators, separated by dots, such as
  ///   `author.name`.
  /// - Returns: The value; nil if a key on the path has no value.
  /// > Reference: Apple, value(forKeyPath:).
  public final func value(forKeyPath keyPath: String) -> Any? {
    KeyPathReader.value(atPath: keyPath, of: self, by: .keyValueCoding)
  }

  /// Sets the property at the end of a dotted key path, as ``setValue(_:forKey:)`` does for one
  /// key.
  ///
  /// If the keys before the last key lead to a collection, the method sets the property in each
  /// member of the collection. If these keys lead to nil, the method sets nothing. If these keys
  /// lead to a value without properties, the method sets nothing, and the next save throws
  /// `ObjectError`. A key after a composite attribute sets one element and keeps the others; if the
  /// attribute is nil, the method creates its value.
  ///
  /// - Parameters:
  ///   - value: The new value; nil or `NSNull` for null.
  ///   - keyPath: The keys, separated by dots, such as `author.name`.
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, setValue(_:forKeyPath:).
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    KeyPathAssignment(value, of: self).perform(at: keyPath)
  }
}
