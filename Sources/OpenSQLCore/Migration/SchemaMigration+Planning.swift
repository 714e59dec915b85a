import Foundation
package import OpenObjectModel
package import OpenStoreContract

extension ModelTransition {
  /// Returns whether a store's metadata already has the version hashes of the destination model.
  ///
  /// - Parameters:
  ///   - metadata: The metadata of the store.
  ///   - configurationName: The name of the configuration with the store's entities; nil for all
  ///     entities.
  package func isDone(in metadata: StoreMetadata, _ configurationName: String?) -> Bool {
    let match = ModelMatch(model: destination, configurationName: configurationName, path: nil)
    return NSManagedObjectModel.versionHashes(in: metadata) == match.hashes()
  }
}

extension SchemaMigration {
  /// Returns the data that the migration removes, with the numbers of affected rows.
  ///
  /// - Parameter session: The connection to the store.
  /// - Throws: `StoreError` with the code of the database's failure if the rows cannot be counted.
  package func countedLosses(
    in session: some SQLSession
  ) throws(StoreError) -> [StoreMigrationPlan.Loss] {
    var found: [StoreMigrationPlan.Loss] = []
    for loss in losses {
      let rows = try session.count(loss.rows)
      guard loss.isCertain || rows > 0 else { continue }
      found.append(
        .init(entityName: loss.entityName, propertyName: loss.propertyName, rowCount: rows))
    }
    return found
  }

  /// Returns the number of rows in the old tables that become the given tables.
  ///
  /// - Parameters:
  ///   - tables: The names of the new tables.
  ///   - session: The connection to the store.
  /// - Throws: `StoreError` with the code of the database's failure if the rows cannot be counted.
  package func rowCount(
    writing tables: [String], in session: some SQLSession
  ) throws(StoreError) -> Int {
    var count = 0
    for table in tables {
      guard let old = sourceTable(of: table), origins.existing[old] != nil else { continue }
      count += try session.count(SQLSelect([.countAll], from: .table(old, alias: nil)))
    }
    return count
  }

  /// Returns the rows of `Z_PRIMARYKEY` for the destination's entities. A root entity keeps the
  /// last key of its source root entity. The last key is 0 for a new root entity and for every
  /// subentity.
  ///
  /// - Parameter rows: The rows of the source.
  package func numberRows(after rows: [NumberRow]) -> [NumberRow] {
    let last = Dictionary(rows.map { ($0.number, $0.last) }) { first, _ in first }
    let roots = sourceRoots
    return transition.destination.entities.map { entity in
      let root = roots[entity.index].map { source.numbers.number(of: $0) }
      return NumberRow(of: entity, destination.numbers, last: root.flatMap { last[$0] } ?? 0)
    }
  }
}

extension UniquenessMap {
  /// Reads examples of values that several rows have, and returns the error for these values.
  ///
  /// The code of the error is `.constraintConflict`, and the underlying error is a
  /// `DuplicateValues`.
  ///
  /// - Parameters:
  ///   - failure: The error of the statement that creates the index of the constraint.
  ///   - session: The connection to the store.
  ///   - model: The new model.
  /// - Throws: `StoreError` with the code of the database's failure if the values cannot be read.
  package func error(
    after failure: StoreError, in session: some SQLSession, of model: CompiledModel
  ) throws(StoreError) -> StoreError {
    var values: [[String]] = []
    try session.forEachRow(of: .select(duplicates)) { row in
      values.append(columns.indices.map { row.text($0) ?? "" })
    }
    return error(in: model, path: session.path, failure.nativeCode, values)
  }
}
