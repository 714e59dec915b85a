import COpenSQLite
import OpenObjectModel
import OpenStoreContract

/// Collects the keys of rows as SQLite writes them, which costs less than a statement that returns them.
///
/// Confined to one statement of its connection, which has no trigger.
private final class UpdatedKeys {
  var keys: [ObjectKey] = []
  let entityIndex: Int

  init(entityIndex: Int) { self.entityIndex = entityIndex }
}

extension Connection {
  /// Runs a statement that updates rows of one entity alone, and returns their keys.
  func keysUpdated(
    by statement: Statement, of entity: CompiledEntity
  ) throws(StoreError) -> [ObjectKey] {
    let updated = UpdatedKeys(entityIndex: entity.index)
    let code = withExtendedLifetime(updated) {
      sqlite3_update_hook(
        database,
        { context, _, _, _, key in
          guard let context else { return }
          let updated = Unmanaged<UpdatedKeys>.fromOpaque(context).takeUnretainedValue()
          updated.keys.append(ObjectKey(entityIndex: updated.entityIndex, key: key))
        }, Unmanaged.passUnretained(updated).toOpaque())
      defer { sqlite3_update_hook(database, nil, nil) }
      var code = sqlite3_step(statement.pointer)
      while code == SQLITE_ROW { code = sqlite3_step(statement.pointer) }
      return code
    }
    guard code == SQLITE_DONE else { throw error(code, statement: statement.sql) }
    return updated.keys
  }
}
