internal import Foundation
internal import OpenObjectModel
public import OpenPredicates
internal import OpenStoreContract

// Properties by name. Apple's calls cannot throw: what they are given by mistake changes nothing, and the
// next save reports it. The checked forms are an addition.

extension NSManagedObject: KeyValueReadable {
  /// The value of a property for predicates; `NoSuchKey.marker` when the entity has none of that name.
  public final func readableValue(forKey key: String) -> Any? {
    if let ordinal = compiledEntity.ordinal(of: key) {
      realizeIfNeeded()
      return currentValue(compiledEntity.properties[ordinal])
    }
    switch key {
    case "self", "SELF": return self
    case "objectID": return objectID
    case "entity": return entity
    default:
      if let objects = fetchedValue(forKey: key) { return objects }
      reportUnknownKey(key)
      return NoSuchKey.marker
    }
  }

  /// The value of a property for `value(forKey:)`.
  public final func readValue(forKey key: String) -> Any? {
    let value = readableValue(forKey: key)
    return value is NoSuchKey ? nil : value
  }

  private final func reportUnknownKey(_ key: String) {
    reportMisuse(
      "The entity \(compiledEntity.name) is not key value coding-compliant for the key "
        + "\"\(key)\".", key, blocksSave: false)
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
      if !attribute.elements.isEmpty { return compositeValue(property, attribute) }
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
    let value = AttributeTransform.value(from: data, property, of: compiledEntity)
    makeExtras().values[property.ordinal] = value
    return value
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
  /// - Throws: `ObjectError` when the entity has no such property; `CocoaError` when a store cannot be read, and
  ///   `StrictLoadingError` when it may not be.
  public final func checkedValue(forKey key: String) throws -> Any? {
    guard let ordinal = compiledEntity.ordinal(of: key) else {
      guard let objects = fetchedValue(forKey: key) else { throw misuse("unknown key", key) }
      return objects
    }
    do {
      if contents == .unresolved { try FaultResolver.load(self) }
      if compiledEntity.properties[ordinal].relationship?.isToMany == true {
        try loadMembers(ordinal)
      }
    } catch let error as StoreError {
      throw CocoaError.make(error)
    }
    return readValue(forKey: key)
  }

  /// Sets a property by name. Addition.
  ///
  /// - Throws: `ObjectError` naming entity and property when there is no such property, or when the value
  ///   has the wrong type; nothing is changed then.
  public final func setCheckedValue(_ value: Any?, forKey key: String) throws {
    guard let ordinal = compiledEntity.ordinal(of: key) else {
      throw misuse(
        "The entity \(compiledEntity.name) is not key value coding-compliant for the key "
          + "\"\(key)\".", key)
    }
    let property = compiledEntity.properties[ordinal]
    switch property.kind {
    case .relationship(let relationship):
      try setRelationship(value, property, relationship)
    case .attribute(let attribute):
      try setAttribute(value, property, attribute)
    }
  }

  private final func setRelationship(
    _ value: Any?, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) throws {
    let given = value is NSNull ? nil : value
    if !relationship.isToMany {
      if let given, !(given is NSManagedObject) { throw unacceptable(given, property, "object") }
      return setDestination(given as? NSManagedObject, property.ordinal)
    }
    guard let objects = Self.objects(in: given) else {
      throw unacceptable(given, property, "NSSet of managed objects")
    }
    setMembers(objects, property.ordinal)
  }

  /// The objects of a collection; nil for anything else.
  static func objects(in value: Any?) -> [NSManagedObject]? {
    let members: [Any]
    switch value {
    case nil: return []
    case let set as NSSet: members = set.allObjects
    case let set as NSOrderedSet: members = set.array
    case let array as [Any]: members = array
    case let set as Set<AnyHashable>: members = set.map(\.base)
    default: return nil
    }
    let objects = members.compactMap { $0 as? NSManagedObject }
    return objects.count == members.count ? objects : nil
  }

  final func setAttribute(
    _ value: Any?, _ property: CompiledProperty, _ attribute: CompiledAttribute
  ) throws {
    if !attribute.elements.isEmpty { return try setComposite(value, property, attribute) }
    if attribute.type == .transformable || property.isTransient {
      var given = value is NSNull ? nil : value
      if property.isTransient { given = try transientValue(given, property, attribute) }
      extras?.values[property.ordinal] = nil
      setEdit(given.map { .boxed(AnyBox($0)) } ?? .value(.null), property.ordinal)
      return
    }
    guard let converted = AttributeConversion.value(value, as: attribute.type) else {
      throw unacceptable(value, property, "\(attribute.type)")
    }
    setEdit(.value(converted), property.ordinal)
  }

  /// The value that a transient attribute keeps: of its type, where it has one.
  private final func transientValue(
    _ value: Any?, _ property: CompiledProperty, _ attribute: CompiledAttribute
  ) throws -> Any? {
    switch attribute.type {
    case .undefined, .transformable, .objectID, .composite: return value
    default: break
    }
    guard let converted = AttributeConversion.value(value, as: attribute.type),
      attribute.type.slotDomain.accepts(converted)
    else { throw unacceptable(value, property, "\(attribute.type)") }
    return converted.anyValue
  }

  final func unacceptable(
    _ value: Any?, _ property: CompiledProperty, _ wanted: String
  ) -> ObjectError {
    let given = value.map { "\(type(of: $0))" } ?? "nil"
    return misuse(
      "Unacceptable type of value for property \"\(property.name)\": desired type \(wanted), "
        + "given type \(given).", property.name)
  }

  // MARK: Primitive access

  /// The stored value without firing a fault.
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

  /// Sets several properties by name; `NSNull` stands for nil.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for key in keyedValues.keys.sorted() { setValue(keyedValues[key], forKey: key) }
  }

  /// Several properties by name; nil comes as `NSNull`.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }

  /// The value at the end of a dotted path of keys.
  public final func value(forKeyPath keyPath: String) -> Any? {
    KeyPathReader.value(atPath: keyPath, of: self)
  }

  // MARK: Changes

  /// Values as last fetched or saved; nil values come as `NSNull`.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    guard registration != .inserted else { return [:] }
    realizeIfNeeded()
    var values: [String: Any] = [:]
    for property in compiledEntity.properties {
      if let elements = property.attribute?.elements, !elements.isEmpty,
        keys?.contains(property.name) ?? true
      {
        values[property.name] = committedComposite(property, elements) ?? NSNull()
        continue
      }
      guard property.slot != nil, !property.isElement, keys?.contains(property.name) ?? true else {
        continue
      }
      values[property.name] = committedValue(property) ?? NSNull()
    }
    return values
  }

  final func committedValue(_ property: CompiledProperty) -> Any? {
    if property.relationship != nil { return committedDestination(property.ordinal) }
    let value = row.value(of: property, in: compiledEntity.model)
    guard property.attribute?.type == .transformable, case .data(let data) = value else {
      return value.anyValue
    }
    return AttributeTransform.value(from: data, property, of: compiledEntity)
  }

  /// Properties changed since the last fetch or save, with their new values; nil comes as `NSNull`.
  ///
  /// What primitive setters wrote is among them once the object has changes, which are saved together with it.
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
