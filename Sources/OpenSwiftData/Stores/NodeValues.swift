internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The values of a snapshot in the form that the object graph stores.
struct NodeValues {
  /// The stored values of attributes, and the object identifiers of to-one destinations, by the
  /// names of the properties.
  private(set) var byName: [String: Any] = [:]

  /// Converts the values of a snapshot.
  ///
  /// - Throws: `ModelValueError` if a value cannot be stored in its attribute;
  ///   `SwiftDataError.unknownDataStoreSchema` if a destination is unknown.
  init(
    _ values: [String: SnapshotValue], of entity: NSEntityDescription, _ store: CustomStore
  ) throws {
    let converter = __ModelObject(entity: entity, insertInto: nil)
    let properties = entity.propertiesByName
    for (name, value) in values where properties[name] != nil {
      switch value {
      case .attribute(let value):
        byName[name] = try Self.stored(value, name, converter)
      case .destination(let identifier): byName[name] = try store.requireID(of: identifier)
      case .members: continue
      }
    }
    for (name, property) in properties where byName[name] == nil {
      // Without this value, the object graph requests the relationship separately.
      if let relationship = property as? NSRelationshipDescription, !relationship.isToMany {
        byName[name] = NSNull()
      }
    }
  }

  private static func stored(
    _ value: any Codable, _ name: String, _ converter: __ModelObject
  ) throws -> Any? {
    if value is any __ModelScalar {
      converter.set(any: ModelKeys.key(named: name), value)
      if let error = FailedWrites.take(from: converter).first { throw error }
      return converter.value(forKey: name)
    }
    func open<Value: Codable>(_ value: Value) throws -> Any? {
      try ModelValues.encode(value, name, of: converter)
    }
    return try open(value)
  }
}
