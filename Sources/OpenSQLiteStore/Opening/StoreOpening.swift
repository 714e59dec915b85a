import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// What opening a store gives.
struct OpenedFile {
  var pool: ConnectionPool
  var schema: SchemaMap
  var identifier: String
  var isReadOnly: Bool
}

/// Opens a store's file, or makes it: checks what is there first, so that no foreign file is
/// written to.
struct StoreOpening {
  private let configuration: StoreConfiguration
  private let model: CompiledModel
  /// The file; nil for a store in memory.
  private let path: String?

  init(_ configuration: StoreConfiguration, model: CompiledModel) {
    self.configuration = configuration
    self.model = model
    let path = configuration.url?.path
    self.path = path == "/dev/null" ? nil : path
  }

  func open() throws(StoreError) -> OpenedFile {
    try StoreFile.check(path, isReadOnly: configuration.isReadOnly)
    let settings = try ConnectionSettings(configuration, path: path)
    let writer = try settings.makeWriter()
    do throws(StoreError) {
      let (schema, identifier) = try prepare(writer, settings)
      return OpenedFile(
        pool: ConnectionPool(
          writer: ConnectionPool.Lease(connection: writer), isShared: path == nil,
          makeReader: settings.makeReader),
        schema: schema, identifier: identifier, isReadOnly: configuration.isReadOnly)
    } catch {
      writer.close()
      throw error
    }
  }

  private func prepare(
    _ writer: Connection, _ settings: ConnectionSettings
  ) throws(StoreError) -> (SchemaMap, String) {
    let tables = try FileTables.read(on: writer)
    if tables.isEmpty, !configuration.isReadOnly {
      try settings.applyFileSettings(to: writer)
      return try StoreCreation(model: model, connection: writer).create()
    }
    try FileTables.requireStore(tables, path: path)
    if !configuration.isReadOnly { try settings.applyFileSettings(to: writer) }
    let schema = try SchemaMap(model, existing: tables)
    try FileTables.require(schema.requiredColumns(), in: tables, path: path)
    try FileTables.requireNumbers(of: model, on: writer)
    return (schema, try MetadataTable.read(on: writer).identifier)
  }

  /// Reads the metadata of a store's file.
  static func metadata(at url: URL) throws(StoreError) -> StoreMetadata {
    var configuration = StoreConfiguration(url: url)
    configuration.isReadOnly = true
    try StoreFile.check(url.path, isReadOnly: true)
    let connection = try ConnectionSettings(configuration, path: url.path).makeWriter()
    defer { connection.close() }
    try FileTables.requireStore(try FileTables.read(on: connection), path: url.path)
    return try MetadataTable.read(on: connection).metadata
  }
}
