import Foundation
import OpenObjectModel
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
    var identifier: String?
    var data: Data?
    try connection.forEachRow("SELECT Z_UUID, Z_PLIST FROM Z_METADATA") { statement in
      identifier = statement.text(0)
      data = statement.data(1)
    }
    guard let identifier else {
      throw StoreError(
        .corrupt, "The store's metadata does not contain an identifier.", path: connection.path,
        nativeCode: SQLiteFailure.damaged)
    }
    do throws(StoreError) {
      let metadata = try MetadataList.metadata(
        in: data, identifier: identifier, type: storeType, path: connection.path)
      return (identifier, metadata)
    } catch {
      var damage = error
      damage.nativeCode = SQLiteFailure.damaged
      throw damage
    }
  }

  /// Writes metadata of the application, and keeps the entries that belong to the file.
  static func write(_ metadata: StoreMetadata, on connection: Connection) throws(StoreError) {
    let present = try read(on: connection).metadata
    let merged = MetadataList.merge(metadata, keeping: fileKeys, of: present)
    let data = try encode(merged, connection.path)
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.data(data)])
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
    let data = try encode(metadata, connection.path)
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = ?", [.data(data)])
  }

  /// Replaces all metadata, including entries that belong to the file. The identifier is kept.
  static func replace(_ metadata: StoreMetadata, on connection: Connection) throws(StoreError) {
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
    try MetadataList.encode(metadata, type: storeType, path: path)
  }
}
