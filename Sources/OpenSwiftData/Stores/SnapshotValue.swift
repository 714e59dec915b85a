internal import Foundation
internal import OpenObjectGraph
internal import OpenObjectModel

/// The value of a property in a snapshot. A snapshot omits properties without a value.
enum SnapshotValue {
  case attribute(any Codable)
  case destination(PersistentIdentifier)
  case members([PersistentIdentifier])

  /// Returns the value with new identifiers of related models.
  func remapped(_ identifiers: [PersistentIdentifier: PersistentIdentifier]) -> SnapshotValue {
    switch self {
    case .attribute: self
    case .destination(let id): .destination(identifiers[id] ?? id)
    case .members(let ids): .members(ids.map { identifiers[$0] ?? $0 })
    }
  }
}

/// Reads and writes the values of a managed object as values of a snapshot.
struct ObjectValues {
  let object: __ModelObject

  init(_ object: __ModelObject) { self.object = object }

  /// Returns the values of the object, by the names of their properties.
  func read() -> [String: SnapshotValue] {
    var values: [String: SnapshotValue] = [:]
    guard let type = ModelTypes.type(of: object) else { return values }
    for (name, keyPath) in Self.properties(of: type) {
      if let value = value(name, keyPath) { values[name] = value }
    }
    return values
  }

  /// Returns the persisted properties of a class.
  static func properties(of type: any PersistentModel.Type) -> [(name: String, path: AnyKeyPath)] {
    func open<Model: PersistentModel>(
      _ type: Model.Type
    ) -> [(name: String, path: AnyKeyPath)] {
      Schema.ownProperties(of: type).map { ($0.name, $0.keypath) }
    }
    return open(type)
  }

  private func value(_ name: String, _ keyPath: AnyKeyPath) -> SnapshotValue? {
    let entity = object.modelEntity
    guard let ordinal = entity.ordinal(of: name) else { return nil }
    let property = entity.properties[ordinal]
    let key = ModelKeys.key(named: name)
    if let relationship = property.relationship {
      if relationship.isToMany {
        let members = ModelRelationship.members(key, of: object)
        return .members(members.map { PersistentIdentifier($0.objectID) })
      }
      let destination = ModelRelationship.destination(key, of: object)
      return destination.map { .destination(PersistentIdentifier($0.objectID)) }
    }
    if property.isTransient { return nil }
    return attribute(name, keyPath)
  }

  private func attribute(_ name: String, _ keyPath: AnyKeyPath) -> SnapshotValue? {
    guard let stored = object.value(forKey: name) else { return nil }
    let key = ModelKeys.key(named: name)
    func open<Value>(_ type: Value.Type) -> Any? {
      if let value = stored as? Value { return ModelCoding.unwrapped(value) }
      return ModelCoding.unwrapped(object.get(dynamic: key, as: type))
    }
    guard let value = _openExistential(type(of: keyPath).valueType, do: open) else { return nil }
    guard let value = value as? any Codable else {
      object.deferError(
        "The type \(Swift.type(of: value)) is not Codable, so a custom store cannot store its values.",
        property: name)
      return nil
    }
    return .attribute(value)
  }

  /// Sets the properties of the object to the values of a snapshot.
  ///
  /// Attributes and to-one relationships without a value become `nil`. To-many relationships
  /// without a value do not change.
  ///
  /// - Parameters:
  ///   - values: The values, by the names of their properties.
  ///   - resolve: A closure that returns the object with an identifier.
  /// - Throws: The error of `resolve`.
  func write(
    _ values: [String: SnapshotValue],
    resolving resolve: (PersistentIdentifier) throws -> __ModelObject
  ) throws {
    for property in object.modelEntity.properties where !property.isElement && !property.isTransient
    {
      let key = ModelKeys.key(named: property.name)
      let value = values[property.name]
      if let relationship = property.relationship {
        if relationship.isToMany {
          if case .members(let ids)? = value {
            ModelRelationship.setMembers(key, of: object, to: try ids.map(resolve))
          }
        } else if case .destination(let id)? = value {
          ModelRelationship.setDestination(key, of: object, to: try resolve(id))
        } else {
          ModelRelationship.setDestination(key, of: object, to: nil)
        }
      } else if case .attribute(let value)? = value {
        object.set(any: key, value)
      } else {
        object.setStoredValue(key, nil)
      }
    }
  }
}
