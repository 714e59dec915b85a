import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The single row of Z_METADATA, which contains a property list and the store's identifier.
enum MetadataTable {
  static let identifierKey = MetadataList.identifierKey
  static let typeKey = MetadataList.typeKey
  static let storeType = "SQLite"

  /// Returns the metadata of a new store.
  static func initial(_ match: ModelMatch) -> StoreMetadata {
    match.metadata().merging([typeKey: storeType, "_NSAutoVacuumLevel": "2"]) { $1 }
  }

  static func read(
    on connection: Connection
  ) throws(StoreError) -> (identifier: String, metadata: StoreMetadata) {
    do throws(StoreError) { return try connection.metadata(ofType: storeType) } catch {
      throw error.withNativeCode
    }
  }

  /// Writes metadata of the application, and keeps the entries that belong to the file.
  static func write(_ metadata: StoreMetadata, on connection: Connection) throws(StoreError) {
    let present = try read(on: connection).metadata
    try connection.replaceMetadata(
      MetadataList.merge(metadata, keeping: fileKeys, of: present), ofType: storeType)
  }

  /// The prefixes of the keys that belong to the file.
  private static let fileKeys = [
    "NSStoreModelVersion", "NSPersistence", "_NS", "NSPersistentStore", MetadataList.historyPrefix,
  ]

  /// Sets one value, which may belong to the file, and keeps all other values. A value of nil
  /// removes the entry.
  static func set(
    _ value: (any Sendable)?, forKey key: String, on connection: Connection
  ) throws(StoreError) {
    var metadata = try read(on: connection).metadata
    metadata[key] = value
    try connection.replaceMetadata(metadata, ofType: storeType)
  }

  static func insert(
    _ metadata: StoreMetadata, identifier: String, on connection: Connection
  ) throws(StoreError) {
    let data = try MetadataList.encode(metadata, type: storeType, path: connection.path)
    try connection.run(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (?, ?, ?)",
      [.integer(1), .text(identifier), .data(data)])
  }
}
