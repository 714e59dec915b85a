internal import Foundation
internal import OpenObjectModel
internal import OpenPredicates
internal import OpenStoreContract

/// Reads the values of an object's properties in the form of key-value coding.
///
/// The functions bypass the class's own accessors, with the exception of ``checked(_:of:)``.
///
/// > Concurrency: Confined to the context's queue.
enum PropertyValue {
  // MARK: By name

  /// Returns the value of a property of the model or of a key of every managed object;
  /// `NoSuchKey.marker` for any other key.
  static func named(_ key: String, of object: NSManagedObject) -> Any? {
    if let ordinal = object.compiledEntity.ordinal(of: key) {
      object.realizeIfNeeded()
      let value = current(object.compiledEntity.properties[ordinal], of: object)
      object.noteRead(.property(ordinal))
      return value
    }
    switch key {
    case "self", "SELF": return object
    case "objectID": return object.objectID
    case "entity": return object.entity
    default:
      if let fetched = FetchedProperty(key, of: object) { return fetched.objects() }
      return state(key, of: object)
    }
  }

  /// Returns the value of a key that every managed object has in key-value coding, such as
  /// `isDeleted`; `NoSuchKey.marker` for any other key.
  private static func state(_ key: String, of object: NSManagedObject) -> Any? {
    switch key {
    case "isInserted", "inserted": NSNumber(value: object.isInserted)
    case "isUpdated", "updated": NSNumber(value: object.isUpdated)
    case "isDeleted", "deleted": NSNumber(value: object.isDeleted)
    case "isFault", "fault": NSNumber(value: object.isFault)
    case "faultingState": NSNumber(value: object.faultingState)
    case "hasChanges": NSNumber(value: object.hasChanges)
    case "hasPersistentChangedValues": NSNumber(value: object.hasPersistentChangedValues)
    case "changedValues": object.changedValues()
    case "managedObjectContext": object.managedObjectContext
    case "description": object.description
    default: NoSuchKey.marker
    }
  }

  /// Returns the value of a property through the class's own accessor.
  ///
  /// - Throws: `ObjectError` for an unknown name, or the error of a failed read.
  static func checked(_ key: String, of object: NSManagedObject) throws -> Any? {
    guard let ordinal = object.compiledEntity.ordinal(of: key) else {
      if let fetched = FetchedProperty(key, of: object) { return try fetched.fetch() }
      let value = object.__stepValue(forKey: key)
      if value is NoSuchKey {
        throw object.misuse("The entity has no property with this name.", key)
      }
      return value
    }
    do {
      if object.contents == .fault { try FaultResolver.load(object) }
      if object.compiledEntity.properties[ordinal].relationship?.isToMany == true {
        try object.loadMembers(ordinal)
      }
      guard let context = object.context else { return object.value(forKey: key) }
      return try context.throwingFailedReads { object.value(forKey: key) }
    } catch let error as StoreError {
      throw CocoaError.surfaced(error)
    }
  }

  // MARK: Current values

  /// Returns the current value of a property: the edit, or else the committed value, or the default
  /// value of a transient attribute.
  static func current(_ property: CompiledProperty, of object: NSManagedObject) -> Any? {
    switch property.kind {
    case .relationship(let relationship):
      guard relationship.isToMany else { return object.destination(property.ordinal) }
      let state = object.loadedMembers(property.ordinal)
      return relationship.isOrdered ? state.orderedSet() : state.set()
    case .attribute(let attribute):
      if property.isTransient, let kept = kept(property, of: object) {
        return kept is NSNull ? nil : kept
      }
      if case .boxed(let box) = object.edits[property.ordinal] { return box.value }
      if attribute.type == .transformable { return decoded(property, of: object) }
      if !attribute.elements.isEmpty {
        let value = CompositeValue(property, of: object.compiledEntity) { current($0, of: object) }
        return value?.dictionary
      }
      if attribute.type == .undefined { return untypedDefault(property, of: object) }
      return object.packedValue(property).anyValue
    }
  }

  /// Returns the decoded value of a transformable attribute, and keeps it in the object.
  private static func decoded(_ property: CompiledProperty, of object: NSManagedObject) -> Any? {
    if let value = object.extras?.values[property.ordinal] { return value }
    guard case .data(let data) = object.packedValue(property) else { return nil }
    let value = decoded(data, property, of: object)
    object.makeExtras().values[property.ordinal] = value
    return value
  }

  /// Returns the decoded value of an attribute's bytes.
  ///
  /// For bytes that cannot be decoded, the result is nil, and saves throw.
  private static func decoded(
    _ data: Data, _ property: CompiledProperty, of object: NSManagedObject
  ) -> Any? {
    do throws(ModelError) {
      return try AttributeTransform.value(from: data, property, of: object.compiledEntity)
    } catch {
      object.context?.deferredErrors.noteFailedRead(of: object, error)
      return nil
    }
  }

  // MARK: Committed values

  /// Returns the committed value of an attribute, or the destination of a to-one relationship in
  /// the committed row.
  static func committed(_ property: CompiledProperty, of object: NSManagedObject) -> Any? {
    if property.relationship != nil { return object.committedDestination(property.ordinal) }
    return anyValue(of: RowValue.value(of: property, in: object), property, object)
  }

  /// Returns a packed attribute value in the form of key-value coding.
  static func anyValue(
    of value: Value, _ property: CompiledProperty, _ object: NSManagedObject
  ) -> Any? {
    guard property.attribute?.type == .transformable, case .data(let data) = value else {
      return value.anyValue
    }
    return decoded(data, property, of: object)
  }

  /// Returns the stored members of a to-many relationship, ignoring unsaved changes.
  static func committedMembers(
    _ property: CompiledProperty, of object: NSManagedObject
  ) throws(StoreError) -> [NSManagedObject] {
    guard let context = object.context else { return [] }
    let keys = try context.faults.storedMembers(of: object, property, in: context)
    return keys.map { context.registered($0, store: Int(object.storePosition)) }
  }
}
