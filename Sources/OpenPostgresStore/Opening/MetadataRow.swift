import Foundation
import OpenObjectModel
import OpenStoreContract

/// The one row of z_metadata: a property list, and the store's identifier beside it.
enum MetadataRow {
  static let identifierKey = "NSStoreUUID"
  static let typeKey = "NSStoreType"

  static func read(
    on connection: PostgresConnection, _ dialect: PostgresDialect
  ) throws(StoreError) -> (identifier: String, metadata: StoreMetadata) {
    let result = try connection.run(
      "SELECT z_uuid, z_plist FROM \(dialect.table("Z_METADATA"))")
    guard result.rowCount > 0, let identifier = result.text(0, 0) else {
      throw StoreError(
        .corrupt, "The store has no identifier in its metadata.", path: connection.place)
    }
    var metadata =
      try result.data(0, 1).map { (data) throws(StoreError) in
        try MetadataList.decode(data, path: connection.place)
      } ?? [:]
    metadata[identifierKey] = identifier
    metadata[typeKey] = OpenPostgresStoreType
    return (identifier, metadata)
  }

  /// The statement that makes the row of a new store.
  static func insertion(
    _ metadata: StoreMetadata, identifier: String, _ dialect: PostgresDialect, _ place: String
  ) throws(StoreError) -> PostgresCommand {
    PostgresCommand(
      "INSERT INTO \(dialect.table("Z_METADATA")) (z_version, z_uuid, z_plist) VALUES (1, $1, $2)",
      [.text(identifier), .data(try encode(metadata, place))], isKept: false)
  }

  /// Writes metadata of the application, and keeps what belongs to the store; inside a transaction.
  static func write(
    _ metadata: StoreMetadata, on connection: PostgresConnection, _ dialect: PostgresDialect
  ) throws(StoreError) {
    try connection.run("SELECT z_version FROM \(dialect.table("Z_METADATA")) FOR UPDATE")
    let present = try read(on: connection, dialect).metadata
    let kept = present.filter { entry in storeKeys.contains { entry.key.hasPrefix($0) } }
    let data = try encode(metadata.merging(kept) { _, kept in kept }, connection.place)
    try connection.run("UPDATE \(dialect.table("Z_METADATA")) SET z_plist = $1", [.data(data)])
  }

  /// How the keys begin that belong to the store.
  private static let storeKeys = ["NSStoreModelVersion", "NSPersistence", "NSPersistentStore"]

  private static func encode(
    _ metadata: StoreMetadata, _ place: String
  ) throws(StoreError) -> Data {
    var list = metadata
    list[identifierKey] = nil
    list[typeKey] = OpenPostgresStoreType
    return try MetadataList.encode(list, path: place)
  }
}
