import COpenSQLite
import Foundation
import OpenCoreData
import OpenMigration
import OpenObjectGraph
import OpenObjectModel
import OpenSQLiteStore
import OpenStoreContract
import Synchronization

/// A SQLite store in a separate folder, which is filled with one model and migrated to another.
final class MigratedStore: Sendable {
  let folder: URL
  let file: URL
  private let observed = Mutex<[String]>([])

  struct Failure: Error, CustomStringConvertible { var description: String }

  init(_ name: String = "store.sqlite") throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent(name)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Statements that migrations ran.
  var statements: [String] { observed.withLock { $0 } }

  var configuration: StoreConfiguration {
    var configuration = StoreConfiguration(url: file)
    configuration.timeout = 0.05
    configuration.statementObserver = { [weak self] sql in
      self?.observed.withLock { $0.append(sql) }
    }
    return configuration
  }

  /// Runs work with a context on the store, which is closed afterward.
  func withContext<Result>(
    _ model: NSManagedObjectModel, at url: URL? = nil, options: [AnyHashable: Any] = [:],
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url ?? file, options: options)
    defer { try? coordinator.remove(store) }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try body(context) }
  }

  func transition(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> ModelTransition {
    try .inferred(from: old.compiled(), to: new.compiled())
  }

  func plan(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel
  ) throws -> StoreMigrationPlan {
    try SQLiteStore.migrationPlan(of: configuration, transition(old, new))
  }

  func migrate(
    _ old: NSManagedObjectModel, _ new: NSManagedObjectModel, by way: StoreMigrationPlan.Way? = nil,
    progress: MigrationProgress? = nil
  ) throws {
    observed.withLock { $0 = [] }
    try SQLiteStore.migrate(configuration, transition(old, new), by: way, progress: progress)
  }

  /// Copies the store's files to another place.
  func copy(to other: MigratedStore) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(name), to: other.folder.appendingPathComponent(name))
    }
  }

  /// The names in the folder.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  /// The rows of a query, columns joined by "|".
  @discardableResult
  func sqlite(_ sql: String, at url: URL? = nil) throws -> [String] {
    var database: OpaquePointer?
    var statement: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open((url ?? file).path, &database) == SQLITE_OK else {
      throw Failure(description: "open")
    }
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Failure(description: String(cString: sqlite3_errmsg(database)))
    }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        }.joined(separator: "|"))
    }
    return rows
  }

  /// Runs a statement on one file that reads another one as `other`.
  func attach(_ other: URL, to url: URL, _ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    let script = "ATTACH '\(other.path)' AS other; PRAGMA synchronous = OFF; \(sql)"
    guard sqlite3_open(url.path, &database) == SQLITE_OK,
      sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK
    else { throw Failure(description: String(cString: sqlite3_errmsg(database))) }
  }

  /// What the file's own check and the library's find wrong.
  func damage(_ model: NSManagedObjectModel, at url: URL? = nil) throws -> [String] {
    let check = try sqlite("PRAGMA integrity_check", at: url).filter { $0 != "ok" }
    var configuration = configuration
    configuration.url = url ?? file
    configuration.tracksHistory = try !sqlite(
      "SELECT name FROM sqlite_master WHERE name = 'ACHANGE'", at: url
    ).isEmpty
    let store = try SQLiteStore.open(configuration, model: model.compiled())
    defer { store.close() }
    return check + (try store.damage().map { "\($0)" })
  }

  /// Tables with their columns, indexes and triggers, without the order of columns.
  func schema(at url: URL? = nil) throws -> [String] {
    let tables = try sqlite(
      """
      SELECT m.name || ' ' || (SELECT group_concat(n, ',') FROM (SELECT c.name || ' ' || c.type || ' ' || c.pk AS n
      FROM pragma_table_info(m.name) AS c ORDER BY c.name)) FROM sqlite_master AS m
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.name
      """, at: url)
    let others = try sqlite(
      "SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL ORDER BY name",
      at: url)
    return tables + others
  }

  /// The schema of a new store of a model.
  func newSchema(_ model: NSManagedObjectModel, tracksHistory: Bool = false) throws -> [String] {
    let url = folder.appendingPathComponent("new-\(UUID().uuidString).sqlite")
    let options = tracksHistory ? [NSPersistentHistoryTrackingKey: true as NSNumber] : [:]
    try withContext(model, at: url, options: options) { _ in }
    defer { try? FileManager.default.removeItem(at: url) }
    return try schema(at: url)
  }
}
