internal import Foundation
internal import OpenObjectGraph

/// A snapshot that contains attributes as values of their Swift types, and relationships as
/// persistent identifiers.
///
/// A snapshot encodes each value under the name of its property. Decoding a snapshot throws
/// ``SwiftDataError/unknownDataStoreSchema`` if no schema of the program contains the entity of the
/// model.
///
/// > Concurrency: Any thread.
/// > Reference: Apple, DefaultSnapshot.
// Invariant of the unchecked conformance: the values are copies that are only read.
public struct DefaultSnapshot: DataStoreSnapshot, @unchecked Sendable {
  public let persistentIdentifier: PersistentIdentifier
  let values: [String: SnapshotValue]

  init(_ identifier: PersistentIdentifier, _ values: [String: SnapshotValue]) {
    persistentIdentifier = identifier
    self.values = values
  }

  init(of object: __ModelObject) {
    self.init(PersistentIdentifier(of: object), ObjectValues(object).read())
  }

  public init(
    from backingData: any BackingData,
    relatedBackingDatas: inout [PersistentIdentifier: any BackingData]
  ) {
    func object<Data: BackingData>(_ data: Data) -> __ModelObject { __ModelObject.make(from: data) }
    self.init(of: object(backingData))
  }

  public func copy(
    persistentIdentifier: PersistentIdentifier,
    remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]? = nil
  ) -> DefaultSnapshot {
    guard let remappedIdentifiers, !remappedIdentifiers.isEmpty else {
      return DefaultSnapshot(persistentIdentifier, values)
    }
    return DefaultSnapshot(
      persistentIdentifier, values.mapValues { $0.remapped(remappedIdentifiers) })
  }

  // MARK: Coding

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    try container.encode(persistentIdentifier, forKey: .persistentIdentifier)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let key = DataStoreSnapshotCodingKey.modeledProperty(name)
      switch value {
      case .attribute(let value): try container.encode(value, forKey: key)
      case .destination(let id): try container.encode(id, forKey: key)
      case .members(let ids): try container.encode(ids, forKey: key)
      }
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DataStoreSnapshotCodingKey.self)
    let identifier = try container.decode(
      PersistentIdentifier.self, forKey: .persistentIdentifier)
    guard let type = ModelTypes.type(named: identifier.entityName) else {
      throw SwiftDataError(
        .unknownDataStoreSchema,
        "The snapshot contains the model \(identifier.entityName), which is in no schema of the program."
      )
    }
    var values: [String: SnapshotValue] = [:]
    for (name, path) in ObjectValues.properties(of: type) {
      let key = DataStoreSnapshotCodingKey.modeledProperty(name)
      guard container.contains(key), try !container.decodeNil(forKey: key) else { continue }
      values[name] = try Self.value(Swift.type(of: path).valueType, key, container)
    }
    self.init(identifier, values)
  }

  private static func value(
    _ type: Any.Type, _ key: DataStoreSnapshotCodingKey,
    _ container: KeyedDecodingContainer<DataStoreSnapshotCodingKey>
  ) throws -> SnapshotValue {
    let type = StoredFormBuilder.unwrapped(type).type
    if type is any PersistentModel.Type {
      return .destination(try container.decode(PersistentIdentifier.self, forKey: key))
    }
    if type is any RelationshipCollection.Type {
      return .members(try container.decode([PersistentIdentifier].self, forKey: key))
    }
    guard let type = type as? any Codable.Type else {
      throw SwiftDataError(
        .unknownDataStoreSchema,
        "The property \(key.stringValue) has the type \(type), which is not Codable.")
    }
    func decode<Value: Codable>(_ type: Value.Type) throws -> any Codable {
      try container.decode(type, forKey: key)
    }
    return .attribute(try decode(type))
  }
}
