internal import Foundation
internal import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

// Properties by name. Apple's calls cannot throw: what they are given by mistake changes nothing, and the
// next save reports it. The checked forms are an addition.

extension NSManagedObject: KeyValueReadable, __KeyPathListing {
  /// The value of a step of a key path, through ``value(forKey:)``, which subclasses override.
  public final func __stepValue(forKey key: String) -> Any? {
    if let value = value(forKey: key) { return value }
    if compiledEntity.ordinal(of: key) != nil { return nil }
    return readableValue(forKey: key) is NoSuchKey ? NoSuchKey.marker : nil
  }

  /// The value of a property of the model; `NoSuchKey.marker` when the entity has none of that name.
  final func storedValue(forKey key: String) -> Any? {
    if let ordinal = compiledEntity.ordinal(of: key) {
      realizeIfNeeded()
      let value = currentValue(compiledEntity.properties[ordinal])
      noteRead(.property(ordinal))
      return value
    }
    switch key {
    case "self", "SELF": return self
    case "objectID": return objectID
    case "entity": return entity
    default:
      if let fetched = FetchedProperty(key, of: self) { return fetched.objects() }
      reportMisuse(PropertyAssignment.complaint(key, self), key, blocksSave: false)
      return NoSuchKey.marker
    }
  }

  /// The value of a property of the model, bypassing the class's accessors of the same name.
  ///
  /// - Returns: The value of a property of the model, bypassing the class's accessors of the same name; nil if
  ///   there is none.
  public final func readValue(forKey key: String) -> Any? {
    let value = storedValue(forKey: key)
    return value is NoSuchKey ? nil : value
  }

  final func currentValue(_ property: CompiledProperty) -> Any? {
    switch property.kind {
    case .relationship(let relationship):
      guard relationship.isToMany else { return destination(property.ordinal) }
      let state = loadedMembers(property.ordinal)
      return relationship.isOrdered ? state.orderedSet() : state.set()
    case .attribute(let attribute):
      if case .boxed(let box) = edits[property.ordinal] { return box.value }
      if property.isTransient, let kept = extras?.values[property.ordinal] { return kept }
      if attribute.type == .transformable { return transformedValue(property) }
      if !attribute.elements.isEmpty {
        return CompositeValue(property, of: compiledEntity) { currentValue($0) }?.dictionary
      }
      return packedValue(property).anyValue
    }
  }

  /// The current value of a packed property: the edit if there is one, else the committed value.
  final func packedValue(_ property: CompiledProperty) -> Value {
    switch edits[property.ordinal] {
    case .value(let value): return value
    case .object(let object): return .object(object.reference)
    case .boxed: return .null
    case nil: return row.value(of: property, in: compiledEntity.model)
    }
  }

  private final func transformedValue(_ property: CompiledProperty) -> Any? {
    if let value = extras?.values[property.ordinal] { return value }
    guard case .data(let data) = packedValue(property) else { return nil }
    let value = transformed(data, property)
    makeExtras().values[property.ordinal] = value
    return value
  }

  /// The decoded value of an attribute's bytes; nil for bytes that cannot be read, which makes saves throw.
  private final func transformed(_ data: Data, _ property: CompiledProperty) -> Any? {
    do throws(ModelError) {
      return try AttributeTransform.value(from: data, property, of: compiledEntity)
    } catch {
      context?.deferredErrors.noteFailedRead(of: self, error)
      return nil
    }
  }

  /// Sets a property by name; a mistake is noted for the next save.
  final func writeValue(_ value: Any?, forKey key: String) {
    do {
      try setCheckedValue(value, forKey: key)
    } catch {
      note(error)
    }
  }

  /// The value of a property by name. Addition.
  ///
  /// - Returns: The value; nil for a null.
  /// - Throws: `ObjectError` when the entity has no such property; `CocoaError` if a store cannot be read;
  ///   `StrictLoadingError` if strict loading does not allow the read; `ModelError` for a value of a transformable
  ///   attribute that cannot be read.
  public final func checkedValue(forKey key: String) throws -> Any? {
    guard let ordinal = compiledEntity.ordinal(of: key) else {
      if let fetched = FetchedProperty(key, of: self) { return fetched.objects() }
      let value = __stepValue(forKey: key)
      if value is NoSuchKey { throw misuse("unknown key", key) }
      return value
    }
    do {
      if contents == .fault { try FaultResolver.load(self) }
      if compiledEntity.properties[ordinal].relationship?.isToMany == true {
        try loadMembers(ordinal)
      }
      guard let context else { return value(forKey: key) }
      return try context.throwingFailedReads { value(forKey: key) }
    } catch let error as StoreError {
      throw CocoaError.surfaced(error)
    }
  }

  /// Sets a property by name. Addition.
  ///
  /// - Throws: `ObjectError` naming entity and property when there is no such property, or when the value
  ///   has the wrong type; in that case nothing is changed.
  public final func setCheckedValue(_ value: Any?, forKey key: String) throws {
    try PropertyAssignment(value, to: key, of: self).perform()
  }

  // MARK: Accesses

  /// Loads the object's values if it is a fault, and notes a read of the key for Swift's Observation; `key` may be nil.
  ///
  /// The key may be any name, for accessors of values that the model does not have.
  public final func willAccessValue(forKey key: String?) {
    realizeIfNeeded()
    if let key { noteRead(ObservedKey(key, of: self)) }
  }

  /// Ends an access; exists for custom accessors written for Apple's framework.
  public final func didAccessValue(forKey key: String?) {}
  /// Begins a change made through primitive accessors: observers of the key are notified that it will change.
  ///
  /// Call ``didChangeValue(forKey:)`` afterwards. The key may be any name, including that of a value that is not in
  /// the model.
  public final func willChangeValue(forKey key: String) {
    realizeIfNeeded()
    takeEventBaseline()
    changeObservers?.willChange(ObservedKey(key, of: self), in: self)
  }

  /// Ends a change made through primitive accessors: the object is marked as changed, and observers of the key are
  /// notified.
  public final func didChangeValue(forKey key: String) {
    if compiledEntity.ordinal(of: key) != nil { markChanged() }
    changeObservers?.didChange(ObservedKey(key, of: self), in: self)
  }

  // MARK: Primitive access

  /// The stored value without firing a fault.
  ///
  /// - Returns: The value; nil for a null.
  public final func primitiveValue(forKey key: String) -> Any? {
    guard let ordinal = compiledEntity.ordinal(of: key) else { return nil }
    return currentValue(compiledEntity.properties[ordinal])
  }

  /// Sets the stored value without marking the object as changed and without touching inverses.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let ordinal = compiledEntity.ordinal(of: key) else { return }
    untracked {
      let property = compiledEntity.properties[ordinal]
      guard let relationship = property.relationship, !relationship.isToMany else {
        return writeValue(value, forKey: key)
      }
      setEdit((value as? NSManagedObject).map { .object($0) } ?? .value(.null), ordinal)
    }
  }

  /// Sets several properties by name; `NSNull` means nil.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for key in keyedValues.keys.sorted() { setValue(keyedValues[key], forKey: key) }
  }

  /// The values of several properties by name, with `NSNull` for nil.
  ///
  /// - Returns: The values by name.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }

  /// The value at the end of a dotted path of keys.
  ///
  /// - Returns: The value at the end of a dotted path of keys; nil if there is none.
  public final func value(forKeyPath keyPath: String) -> Any? {
    KeyPathReader.value(atPath: keyPath, of: self)
  }

  /// Sets the property at the end of a dotted path of keys: of the object at the end of the other keys, or of each member if they end
  /// in a collection. If they end in nil, nothing is set.
  ///
  /// A path that ends in a value without properties changes nothing, and the next save throws.
  ///
  /// > Concurrency: Confined to the context's queue.
  /// > Reference: Apple, setValue(_:forKeyPath:).
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let dot = keyPath.firstIndex(of: ".") else { return setValue(value, forKey: keyPath) }
    let rest = String(keyPath[keyPath.index(after: dot)...])
    set(value, rest, of: self.value(forKey: String(keyPath[..<dot])))
  }

  /// Sets a property of an object, or of each object in a collection.
  private final func set(_ value: Any?, _ keyPath: String, of owner: Any?) {
    if let object = owner as? NSManagedObject {
      object.setValue(value, forKeyPath: keyPath)
    } else if let members = owner.flatMap(Collections.members) {
      for member in members { set(value, keyPath, of: member) }
    } else if owner != nil {
      reportMisuse("The key path \(keyPath) starts at a value without properties.", nil)
    }
  }

  // MARK: Changes

  /// Values as last fetched or saved; nil values are returned as `NSNull`.
  ///
  /// - Returns: Values as last fetched or saved.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    guard registration != .inserted else { return [:] }
    realizeIfNeeded()
    var values: [String: Any] = [:]
    for property in compiledEntity.properties where keys?.contains(property.name) ?? true {
      if property.attribute?.elements.isEmpty == false {
        let value = CompositeValue(property, of: compiledEntity) { committedValue($0) }
        values[property.name] = value?.dictionary ?? NSNull()
      } else if property.relationship?.isToMany == true {
        values[property.name] = committedMembers(property)
      } else if property.slot != nil, !property.isElement {
        values[property.name] = committedValue(property) ?? NSNull()
      }
    }
    return values
  }

  /// The members of a to-many relationship as the store has them.
  private final func committedMembers(_ property: CompiledProperty) -> Any {
    let state = loadedMembers(property.ordinal)
    var members = members(property.ordinal)
    if state.isEdited {
      do {
        members = try storedMembers(property)
      } catch {
        note(CocoaError.make(error))
        return NSNull()
      }
    }
    return state.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
  }

  final func committedValue(_ property: CompiledProperty) -> Any? {
    if property.relationship != nil { return committedDestination(property.ordinal) }
    let value = row.value(of: property, in: compiledEntity.model)
    guard property.attribute?.type == .transformable, case .data(let data) = value else {
      return value.anyValue
    }
    return transformed(data, property)
  }

  /// Properties changed since the last fetch or save, with their new values; nil is `NSNull`.
  ///
  /// Values written by primitive setters are included if the object has other changes, and are saved with them.
  ///
  /// - Returns: The values by name.
  public final func changedValues() -> [String: Any] {
    var values: [String: Any] = [:]
    if registration == .persistent, !flags.contains(.updated) { return values }
    edits.ordinals.forEach { ordinal in
      let edited = compiledEntity.properties[ordinal]
      let property = edited.isElement ? compiledEntity.composite(of: edited) ?? edited : edited
      if !property.isTransient { values[property.name] = currentValue(property) ?? NSNull() }
    }
    for ordinal in extras?.editedToMany ?? [] {
      let property = compiledEntity.properties[ordinal]
      values[property.name] = currentValue(property) ?? NSNull()
    }
    return values
  }

  /// Whether a stored value differs from the last fetched or saved one.
  public final var hasPersistentChangedValues: Bool {
    if registration == .inserted || extras?.hasToManyEdits == true { return true }
    if registration == .persistent, !flags.contains(.updated) { return false }
    return !ChangeSetBuilder.changedSlots(of: self, edits).isEmpty
  }
}
