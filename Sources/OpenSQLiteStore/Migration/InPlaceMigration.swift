import Foundation
import OpenSQLCore
import OpenStoreContract

/// Migrates the tables of a file to another model, in one transaction on the file itself.
struct InPlaceMigration {
  let access: ExclusiveAccess
  let source: MigrationSource
  let files: StoreFiles
  let configurationName: String?
  let monitor: MigrationMonitor
  private var connection: Connection { access.connection }

  func run() throws(StoreError) {
    let steps = source.migration.inPlaceSteps(source.objects)
    let run = SchemaMigrationRun(source.migration, on: connection, ExternalFiles(files), monitor)
    defer { monitor.leave(connection) }
    // Otherwise, SQLite would reject a change because of a view or trigger of another program.
    try connection.forEachRow("PRAGMA legacy_alter_table = 1") { _ in }
    let frees = source.migration.freesExternalValues
    let mark = try frees ? ExternalFiles(files).makeMark() : nil
    do throws(StoreError) {
      try connection.transaction { () throws(StoreError) in
        try change(by: steps, run)
        try writeRecords(run)
        try monitor.report(1)
        return ((), true)
      }
    } catch {
      if let mark { ExternalFiles(files).remove(mark: mark) }
      throw monitor.isCancelled ? MigrationMonitor.cancelled : error
    }
    if let mark { ExternalSweep(files).finish(mark, on: connection) }
  }

  /// Runs the steps, and keeps the views and triggers of other programs that fit the migrated
  /// tables.
  private func change(
    by steps: [MigrationStep], _ run: SchemaMigrationRun
  ) throws(StoreError) {
    let hasForeignObjects = !ForeignObjects(source.objects, on: connection).isEmpty
    var omitted: [SchemaObject] = []
    try run.run(steps, from: 0, to: 0.9) { (step) throws(StoreError) in
      // A trigger that uses a missing column would make later steps fail.
      if hasForeignObjects, step.removesNames { omitted += try dropUnfitObjects() }
    }
    guard hasForeignObjects else { return }
    omitted += try dropUnfitObjects()
    // Later steps may have given the names that an object uses to other tables or columns.
    try ForeignObjects(omitted, on: connection).create()
  }

  private func dropUnfitObjects() throws(StoreError) -> [SchemaObject] {
    try ForeignObjects(MigrationSource.objects(on: connection), on: connection).dropUnfit()
  }

  private func writeRecords(_ run: SchemaMigrationRun) throws(StoreError) {
    let records = MigrationRecords(run: run, configurationName: configurationName)
    if let columns = source.tables["ACHANGE"] {
      try run.run(HistoryMigration(source.migration).steps(columns), from: 0.9, to: 0.95)
    }
    try records.writeNumbers(over: source.numbers, isNew: false)
    try records.writeMetadata(over: (source.identifier, source.metadata), isNew: false)
    try records.writeModel(hasTable: source.tables["Z_MODELCACHE"] != nil)
  }
}

extension MigrationStep {
  /// Whether the step drops a table or a column, or renames a table.
  fileprivate var removesNames: Bool {
    switch statement {
    case .alter(.dropColumn), .alter(.dropTable), .alter(.renameTable): true
    default: false
    }
  }
}

/// Deletes external files that no row of a migrated store refers to.
struct ExternalSweep {
  private let files: StoreFiles

  init(_ files: StoreFiles) { self.files = files }

  /// Deletes the files, and then the mark which says that such files may exist. After a failure,
  /// the next opening deletes them.
  ///
  /// - Parameter connection: A connection with exclusive access.
  func finish(_ mark: String, on connection: Connection) {
    let external = ExternalFiles(files)
    do throws(StoreError) {
      let present = try external.names().filter(ExternalFiles.isName)
      if !external.mayBelongToOthers {
        let named = try ExternalReferences(on: connection).names()
        for name in present.subtracting(named) { external.remove(name) }
      }
      external.remove(mark: mark)
    } catch {
      return  // The mark stays, and with it the work.
    }
  }
}
