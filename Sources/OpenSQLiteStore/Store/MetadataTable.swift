import Foundation
import OpenObjectModel
import OpenStoreContract

/// The one row of Z_METADATA: a property list, and the store's identifier beside it.
enum MetadataTable {
  static let identifierKey = "NSStoreUUID"
  static let typeKey = "NSStoreType"
  static let storeType = "SQLite"

  /// What a new store has.
  ///
  /// - Parameters:
  ///   - model: The model in use.
  ///   - hashes: Fingerprints of the entities that the store holds.
  static func initial(of model: NSManagedObjectModel, _ hashes: [String: Data]) -> StoreMetadata {
    let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
    return [
      typeKey: storeType, "NSPersistenceFrameworkVersion": 1344, "_NSAutoVacuumLevel": "2",
      StoreMetadataKey.identifiers: identifiers,
      StoreMetadataKey.entityHashes: hashes,
      StoreMetadataKey.hashesVersion: 3,
      StoreMetadataKey.digest: NSManagedObjectModel.digest(of: hashes),
      StoreMetadataKey.checksum: NSManagedObjectModel.checksum(of: hashes),
    ]
  }

  static func read(
    on connection: Connection
  ) throws(StoreError) -> (identifier: String, metadata: StoreMetadata) {
    var identifier: String?
    var data: Data?
    try connection.forEachRow("SELECT Z_UUID, Z_PLIST FROM Z_METADATA") { statement in
      identifier = statement.text(0)
      data = statement.data(1)
    }
    guard let identifier else {
      throw StoreError(
        .corrupt, "The store has no identifier in its metadata.", path: connection.path)
    }
    var metadata =
      try data.map { (data) throws(StoreError) in try decode(data, connection.path) } ?? [:]
    metadata[identifierKey] = identifier
    metadata[typeKey] = storeType
    return (identifier, metadata)
  }

  /// Writes metadata of the application, and keeps what belongs to the file.
  static func write(_ metadata: StoreMetadata, on connection: Connection) throws(StoreError) {
    let present = try read(on: connection).metadata
    let kept = present.filter { entry in fileKeys.contains { entry.key.hasPrefix($0) } }
    let data = try encode(metadata.merging(kept) { _, kept in kept }, connection.path)
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.data(data)])
  }

  /// How the keys begin that belong to the file.
  private static let fileKeys = [
    "NSStoreModelVersion", "NSPersistence", "_NS", "NSPersistentStore", "OpenHistory",
  ]

  /// Sets one value, which may belong to the file, and keeps all others; nil removes it.
  static func set(
    _ value: (any Sendable)?, forKey key: String, on connection: Connection
  ) throws(StoreError) {
    var metadata = try read(on: connection).metadata
    metadata[key] = value
    let data = try encode(metadata, connection.path)
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.data(data)])
  }

  static func insert(
    _ metadata: StoreMetadata, identifier: String, on connection: Connection
  ) throws(StoreError) {
    let data = try encode(metadata, connection.path)
    try connection.run(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (?, ?, ?)",
      [.integer(1), .text(identifier), .data(data)])
  }

  private static func encode(
    _ metadata: StoreMetadata, _ path: String?
  ) throws(StoreError) -> Data {
    var list: [String: Any] = metadata
    list[identifierKey] = nil
    list[typeKey] = storeType
    do {
      return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    } catch {
      throw StoreError(
        .unfitValue, "The metadata holds a value that a property list cannot hold.", path: path,
        underlying: error)
    }
  }

  private static func decode(_ data: Data, _ path: String?) throws(StoreError) -> StoreMetadata {
    let list: Any
    do {
      list = try PropertyListSerialization.propertyList(from: data, format: nil)
    } catch {
      throw StoreError(
        .corrupt, "The store's metadata is no property list.", path: path, underlying: error)
    }
    guard let dictionary = list as? [String: Any] else {
      throw StoreError(.corrupt, "The store's metadata is no dictionary.", path: path)
    }
    return dictionary.compactMapValues(PropertyListValue.plain)
  }
}
