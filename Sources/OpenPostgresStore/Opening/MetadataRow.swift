import Foundation
import OpenObjectModel
import OpenStoreContract

/// The only row of z_metadata, which contains a property list, the store's identifier, and the
/// model that the store was written with.
enum MetadataRow {
  static func read(
    on connection: PostgresConnection, _ dialect: PostgresDialect
  ) throws(StoreError) -> (identifier: String, metadata: StoreMetadata) {
    let result = try connection.run(
      "SELECT z_uuid, z_plist FROM \(dialect.table("Z_METADATA"))")
    guard result.rowCount > 0, let identifier = result.text(0, 0) else {
      throw StoreError(
        .corrupt, "The store's metadata does not contain an identifier.", path: connection.place)
    }
    let metadata = try MetadataList.metadata(
      in: result.data(0, 1), identifier: identifier, type: OpenPostgresStoreType,
      path: connection.place)
    return (identifier, metadata)
  }

  /// Returns the model that the store was written with; nil if the store contains no model.
  static func model(
    on connection: PostgresConnection, _ dialect: PostgresDialect
  ) throws(StoreError) -> NSManagedObjectModel? {
    let result = try connection.run("SELECT z_model FROM \(dialect.table("Z_METADATA"))")
    guard result.rowCount > 0, let data = result.data(0, 0) else { return nil }
    do throws(ModelError) {
      return try ModelArchive.read(data, path: connection.place)
    } catch {
      throw StoreError(
        .corrupt, "The model cached in the store cannot be read. Use a model file instead.",
        path: connection.place, underlying: error)
    }
  }

  /// Returns the statement that inserts the row of a new store.
  static func insertion(
    _ match: ModelMatch, identifier: String, _ dialect: PostgresDialect, _ place: String
  ) throws(StoreError) -> PostgresCommand {
    PostgresCommand(
      """
      INSERT INTO \(dialect.table("Z_METADATA")) (z_version, z_uuid, z_plist, z_model) \
      VALUES (1, $1, $2, $3)
      """,
      [
        .text(identifier), .data(try encode(match.metadata(), place)),
        .data(archive(of: match.model)),
      ], isKept: false)
  }

  /// Returns the statement that writes the version hashes of the new model in a migrated store. The
  /// application's metadata is kept.
  ///
  /// - Parameter earlier: The version hashes of earlier versions that may still use the store.
  static func replacement(
    _ present: StoreMetadata, for match: ModelMatch, earlier: [[String: Data]] = [],
    _ dialect: PostgresDialect, _ place: String
  ) throws(StoreError) -> PostgresCommand {
    var metadata = present.merging(match.metadata()) { $1 }
    metadata[StoreMetadataKey.earlierHashes] = earlier.isEmpty ? nil : earlier
    return PostgresCommand(
      "UPDATE \(dialect.table("Z_METADATA")) SET z_plist = $1, z_model = $2",
      [.data(try encode(metadata, place)), .data(archive(of: match.model))], isKept: false)
  }

  /// Writes metadata of the application in a transaction. The entries that belong to the store are
  /// kept.
  static func write(
    _ metadata: StoreMetadata, on connection: PostgresConnection, _ dialect: PostgresDialect
  ) throws(StoreError) {
    try connection.run("SELECT z_version FROM \(dialect.table("Z_METADATA")) FOR UPDATE")
    let present = try read(on: connection, dialect).metadata
    let merged = MetadataList.merge(metadata, keeping: storeKeys, of: present)
    try connection.run(
      "UPDATE \(dialect.table("Z_METADATA")) SET z_plist = $1",
      [.data(try encode(merged, connection.place))])
  }

  /// The prefixes of the keys that belong to the store.
  private static let storeKeys = [
    "NSStoreModelVersion", "NSPersistence", "NSPersistentStore", StoreMetadataKey.earlierHashes,
  ]

  private static func encode(
    _ metadata: StoreMetadata, _ place: String
  ) throws(StoreError) -> Data {
    try MetadataList.encode(metadata, type: OpenPostgresStoreType, path: place)
  }

  /// Returns the archive of a model for tools and migrations; nil if the model contains values that
  /// cannot be archived.
  private static func archive(of model: CompiledModel) -> Data? {
    try? ModelArchive.write(model.descriptions, dialect: .cache)
  }
}
