import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The only row of z_metadata, which contains a property list, the store's identifier, and the
/// model that the store was written with.
enum MetadataRow {
  static func read(
    in session: PostgresSession
  ) throws(StoreError) -> (identifier: String, metadata: StoreMetadata) {
    try session.metadata(ofType: OpenPostgresStoreType)
  }

  /// Returns the model that the store was written with; nil if the store contains no model.
  static func model(in session: PostgresSession) throws(StoreError) -> NSManagedObjectModel? {
    var model: Data?
    try session.forEachRow(of: .select(SQLSelect(["Z_MODEL"], from: "Z_METADATA"))) { row in
      model = row.data(0)
    }
    guard let data = model else { return nil }
    do throws(ModelError) {
      return try ModelArchive.read(data, path: session.connection.place)
    } catch {
      throw StoreError(
        .corrupt, "The model cached in the store cannot be read. Use a model file instead.",
        path: session.path, underlying: error)
    }
  }

  /// Returns the model that the store was written with; nil if the model cannot be read.
  static func readableModel(
    in session: PostgresSession
  ) throws(StoreError) -> NSManagedObjectModel? {
    do throws(StoreError) { return try model(in: session) } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }

  /// Returns the statement that inserts the row of a new store.
  static func insertion(
    _ match: ModelMatch, identifier: String, in session: PostgresSession
  ) throws(StoreError) -> PostgresCommand {
    session.dialect.command(
      OwnStatement.insertMetadata,
      [
        .text(identifier), .data(try encode(match.metadata(), session)),
        .data(archive(of: match.model)),
      ])
  }

  /// Returns the statement that writes the version hashes of the new model in a migrated store. The
  /// application's metadata is kept.
  ///
  /// - Parameter earlier: The version hashes of earlier versions that may still use the store.
  static func replacement(
    _ present: StoreMetadata, for match: ModelMatch, earlier: [[String: Data]] = [],
    in session: PostgresSession
  ) throws(StoreError) -> PostgresCommand {
    var metadata = present.merging(match.metadata()) { $1 }
    metadata[StoreMetadataKey.earlierHashes] = earlier.isEmpty ? nil : earlier
    return session.dialect.command(
      OwnStatement.replaceMetadata,
      [.data(try encode(metadata, session)), .data(archive(of: match.model))])
  }

  /// Writes metadata of the application in a transaction. The entries that belong to the store are
  /// kept.
  static func write(
    _ metadata: StoreMetadata, in session: PostgresSession
  ) throws(StoreError) {
    try session.connection.run(session.dialect.command(OwnStatement.lockMetadata))
    let present = try read(in: session).metadata
    try session.replaceMetadata(
      MetadataList.merge(metadata, keeping: storeKeys, of: present), ofType: OpenPostgresStoreType)
  }

  /// The prefixes of the keys that belong to the store.
  private static let storeKeys = [
    "NSStoreModelVersion", "NSPersistence", "NSPersistentStore", StoreMetadataKey.earlierHashes,
  ]

  private static func encode(
    _ metadata: StoreMetadata, _ session: PostgresSession
  ) throws(StoreError) -> Data {
    try MetadataList.encode(metadata, type: OpenPostgresStoreType, path: session.path)
  }

  /// Returns the archive of a model for tools and migrations; nil if the model contains values that
  /// cannot be archived.
  private static func archive(of model: CompiledModel) -> Data? {
    try? ModelArchive.write(model.descriptions, dialect: .cache)
  }
}
