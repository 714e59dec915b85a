import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// The result of opening a store.
struct OpenedFile {
  var pool: ConnectionPool
  var schema: SchemaMap
  /// The text indexes in the file.
  var textIndexes: [SQLTextIndex]
  var identifier: String
  var isReadOnly: Bool
  /// The record that the file is open; nil for an in-memory store and for a read-only store, whose
  /// connections hold their own records.
  var claim: OpenFiles.Claim?
  /// The number of values that the history keeps of a deleted row; nil for a store without history.
  var tombstoneColumnCount: Int?
  /// The path of the file; nil for an in-memory store.
  var path: String?
  /// The lock of a writable store, which still excludes other operations.
  var lock: StoreLock?

  /// Deletes the external files that killed programs left. Requires exclusive access.
  fileprivate func recover() {
    // A pool that was just made is not closed, and there is no other error.
    try? pool.withWriter { $0.external?.removal.recover(on: $0) }
  }

  /// Deletes the files that a killed migration left. Requires exclusive access.
  ///
  /// A file in WAL mode needs no rollback journal. SQLite rolled back a hot journal when it first
  /// read the file, and no connection can begin a new journal while the file is open.
  fileprivate func removeLeftovers(of files: StoreFiles) {
    files.removeUnfinishedCopy()
    // A new pool is not closed, and a file that cannot be deleted only wastes space.
    try? pool.withWriter { (writer) throws(StoreError) in
      if writer.hasLog { try StoreFiles.remove(files.main.path + "-journal") }
    }
  }

  /// Performs the maintenance that the configuration requests. Rewriting the file requires
  /// exclusive access.
  fileprivate func maintain(
    _ maintenance: StoreMaintenance, isAlone: Bool
  ) throws(StoreError) {
    if maintenance.isEmpty { return }
    try pool.withWriter { writer throws(StoreError) in
      if isAlone, maintenance.contains(.reclaimsSpace) { try writer.run("VACUUM") }
      if maintenance.contains(.refreshesStatistics) { try writer.run("ANALYZE") }
    }
  }
}

/// Opens or creates a store's file. The file is checked first, so that a file of another kind is
/// never written to.
struct StoreOpening {
  private let configuration: StoreConfiguration
  private let model: CompiledModel
  /// The path of the file; nil for an in-memory store.
  private let path: String?

  init(_ configuration: StoreConfiguration, model: CompiledModel) {
    self.configuration = configuration
    self.model = model
    path = configuration.url.flatMap { $0.isInMemory ? nil : StorePath.resolved($0.path) }
  }

  /// Opens the file.
  ///
  /// As with Apple's framework, a store with history is read-only if it is opened without the
  /// history option. A writable store acquires the store's lock, so that no other process can
  /// create, complete, destroy or replace the store at the same time.
  func open() throws(StoreError) -> OpenedFile {
    guard let path else { return try openFile() }
    try StoreFile.checkPlace(path, isReadOnly: configuration.isReadOnly)
    if configuration.isReadOnly {
      try StoreLock.waitForOperations(on: path, timeout: configuration.timeout)
      return try openFile()
    }
    let lock = try StoreLock(
      of: path, for: .open, besides: .users, timeout: configuration.timeout)
    let isAlone = lock.isAlone
    var opened = try openFile()
    if opened.isReadOnly {
      lock.release()
    } else {
      if isAlone {
        opened.recover()
        opened.removeLeftovers(of: StoreFiles(URL(fileURLWithPath: path)))
      }
      try opened.maintain(configuration.maintenance, isAlone: isAlone)
      opened.lock = lock
    }
    return opened
  }

  private func openFile() throws(StoreError) -> OpenedFile {
    try StoreFile.check(path, isReadOnly: configuration.isReadOnly)
    try LogIdentity.require(path)
    let settings = try ConnectionSettings(configuration, path: path)
    let isWritten = !configuration.isReadOnly
    let writer = try settings.makeWriter()
    let claim = isWritten ? path.map(OpenFiles.Claim.init) : nil
    do throws(StoreError) {
      let tables = try FileTables.read(on: writer)
      if isWritten, tables["ACHANGE"] != nil, !configuration.tracksHistory {
        writer.close()
        claim?.close()
        return try StoreOpening(Self.readOnly(configuration), model: model).openFile()
      }
      let (schema, identifier) = try prepare(writer, tables, settings)
      if isWritten { try prepareExternalValues(writer, tables, schema) }
      let textIndexes = try textIndexes(of: writer, tables, schema)
      let tombstones =
        configuration.tracksHistory
        ? try HistoryOpening(schema: schema, connection: writer).open(isWritten: isWritten) : nil
      return OpenedFile(
        pool: ConnectionPool(
          writer: ConnectionPool.Lease(connection: writer), isShared: path == nil,
          keepsTransactions: writer.hasLog && settings.hasUsualLocks,
          isOutdated: settings.isOutdated, makeReader: settings.makeReader),
        schema: schema, textIndexes: textIndexes, identifier: identifier,
        isReadOnly: configuration.isReadOnly, claim: claim,
        tombstoneColumnCount: tombstones, path: path)
    } catch {
      writer.close()
      throw error
    }
  }

  private static func readOnly(_ configuration: StoreConfiguration) -> StoreConfiguration {
    var configuration = configuration
    configuration.isReadOnly = true
    return configuration
  }

  private func prepareExternalValues(
    _ writer: Connection, _ tables: [String: [String]], _ schema: SchemaMap
  ) throws(StoreError) {
    guard let path, !ExternalWriter.columns(of: schema).isEmpty else { return }
    let external = ExternalWriter(StoreFiles(URL(fileURLWithPath: path)))
    let columns = ExternalWriter.columns(of: schema, haveOwnFiles: true)
    // The tables of a new file were not read.
    try external.watch(
      tables.isEmpty ? columns : Self.present(columns, in: tables), on: writer)
    writer.external = external
  }

  /// Returns the columns that the file contains. An entity outside the configuration may have no
  /// table, or the table of another version.
  private static func present(
    _ columns: [String: Set<String>], in tables: [String: [String]]
  ) -> [String: Set<String>] {
    var present: [String: Set<String>] = [:]
    for (table, names) in columns {
      let found = names.intersection(tables[table] ?? [])
      if !found.isEmpty { present[table] = found }
    }
    return present
  }

  /// Returns the text indexes, which are created if the configuration requests them.
  private func textIndexes(
    of writer: Connection, _ tables: [String: [String]], _ schema: SchemaMap
  ) throws(StoreError) -> [SQLTextIndex] {
    let makes = configuration.indexesText && !configuration.isReadOnly
    guard makes || tables.keys.contains(where: { $0.hasPrefix(SQLTextIndex.prefix) }) else {
      return []
    }
    return try TextIndexOpening(schema, on: writer).open(for: makes ? .make : .use)
  }

  private func prepare(
    _ writer: Connection, _ tables: [String: [String]], _ settings: ConnectionSettings
  ) throws(StoreError) -> (SchemaMap, String) {
    let match = ModelMatch(
      model: model, configurationName: configuration.configurationName, path: path)
    if tables.isEmpty, !configuration.isReadOnly {
      try settings.applyLayout(to: writer)
      try settings.applyFileSettings(to: writer)
      return try StoreCreation(
        match, newIdentifier: configuration.newIdentifier,
        historyBase: configuration.historyBase, on: writer
      ).create()
    }
    try FileTables.requireStore(tables, path: path)
    let (identifier, metadata) = try MetadataTable.read(on: writer)
    if !configuration.ignoresModelVersion {
      try match.requireVersions(in: metadata)
      try match.requireComposites { () throws(StoreError) in
        // Only tools and migrations need the model, so a damaged copy does not prevent the opening.
        try ModelCache.content(on: writer).flatMap { try? ModelCache.model(in: $0, path: path) }
      }
    }
    // Tables of pairs have the numbers of entities in their names.
    try match.requireNumbers(on: writer)
    let schema = try SchemaMap(model, existing: tables)
    try FileTables.require(
      schema.requiredColumns(of: match.members), in: tables, path: path)
    if configuration.isReadOnly { return (schema, identifier) }
    try settings.applyFileSettings(to: writer)
    return (try addingOrderColumns(to: schema, on: writer), identifier)
  }

  /// Adds missing columns for the order of members, because relationships may have been unordered
  /// when the file was created.
  private func addingOrderColumns(
    to schema: SchemaMap, on writer: Connection
  ) throws(StoreError) -> SchemaMap {
    guard !schema.missingOrderColumns.isEmpty else { return schema }
    try writer.transaction { () throws(StoreError) in
      for (table, columns) in schema.missingOrderColumns.sorted(by: { $0.key < $1.key }) {
        for column in columns {
          // Both names are of the layout's own making: letters, digits and underscores of the
          // model's names.
          try writer.run(
            "ALTER TABLE \(SQLiteDialect().quoted(table)) ADD COLUMN \(SQLiteDialect().quoted(column)) INTEGER"
          )
        }
      }
      return ((), true)
    }
    return try SchemaMap(model, existing: try FileTables.read(on: writer))
  }

  /// Reads the metadata of a store's file.
  static func metadata(at url: URL) throws(StoreError) -> StoreMetadata {
    try StoreReading.brieflyWithConnection(to: url) { (connection) throws(StoreError) in
      try MetadataTable.read(on: connection).metadata
    }
  }
}
