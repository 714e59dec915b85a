import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Executes the statements of one migration on one connection, in place or for a new file.
struct SchemaMigrationRun {
  let connection: Connection
  let migration: SchemaMigration
  let functions: MigrationFunctions
  let monitor: MigrationMonitor
  private let dialect = SQLiteDialect()

  /// - Parameter files: The location of the source's external values.
  init(
    _ migration: SchemaMigration, on connection: Connection, _ files: ExternalFiles,
    _ monitor: MigrationMonitor
  ) {
    self.connection = connection
    self.migration = migration
    self.monitor = monitor
    functions = MigrationFunctions(files, HistoryMigration(migration))
    functions.register(on: connection)
    monitor.watch(connection)
  }

  /// Runs steps that form a part of the whole migration.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - start: The fraction of the migration that is complete before the steps.
  ///   - end: The fraction of the migration that is complete after the steps.
  ///   - finish: A closure that the method calls after each step.
  func run(
    _ steps: [MigrationStep], from start: Double, to end: Double,
    finish: (MigrationStep) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    for (index, step) in steps.enumerated() {
      try run(step)
      try monitor.report(start + (end - start) * Double(index + 1) / Double(steps.count))
      try finish(step)
    }
  }

  private func run(_ step: MigrationStep) throws(StoreError) {
    do throws(StoreError) {
      try connection.run(step.text(for: dialect))
    } catch {
      if monitor.isCancelled { throw MigrationMonitor.cancelled }
      if let failure = functions.failure { throw failure }
      let constraints = migration.destination.uniqueness
      if error.code == .constraintConflict,
        let constraint = step.uniqueness ?? constraints.first(where: { $0.table == step.table })
      {
        throw try constraint.error(
          after: error, in: connection, of: migration.transition.destination)
      }
      throw error
    }
  }

  /// Runs a statement with bound values.
  func run(_ statement: SQLStatement, _ values: [SlotContent]) throws(StoreError) {
    do throws(StoreError) {
      try connection.execute(statement, binding: values)
    } catch {
      if monitor.isCancelled { throw MigrationMonitor.cancelled }
      throw functions.failure ?? error
    }
  }
}
