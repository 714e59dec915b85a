import COpenSQLite
import Foundation
import OpenObjectModel
import OpenSQLCore
import OpenStoreContract

/// Collects the keys of rows while SQLite changes them, which is faster than a statement that
/// returns the keys.
///
/// Confined to one statement of its connection.
private final class ChangedKeys {
  private(set) var keys: [ObjectKey] = []
  private let operation: Int32
  private let entityIndex: Int
  private let table: ContiguousArray<CChar>

  init(_ operation: Int32, _ map: EntityMap) {
    self.operation = operation
    entityIndex = map.entity.index
    table = map.table.utf8CString
  }

  /// Records a change that SQLite reports. Changes of other tables, which triggers may cause, are
  /// ignored.
  func note(_ operation: Int32, _ table: UnsafePointer<CChar>?, _ key: Int64) {
    guard operation == self.operation, let table else { return }
    let isMine = self.table.withUnsafeBufferPointer { mine in
      mine.baseAddress.map { strcmp($0, table) == 0 } ?? false
    }
    if isMine { keys.append(ObjectKey(entityIndex: entityIndex, key: key)) }
  }
}

extension Connection {
  /// Runs a statement that changes rows of only one entity, and returns the keys of the changed
  /// rows.
  ///
  /// - Parameters:
  ///   - operation: `SQLITE_UPDATE` or `SQLITE_DELETE`. A deletion needs a condition, because
  ///     SQLite does not report the rows when a whole table is emptied.
  ///   - map: The entity, which must be the only entity of its table.
  func keysChanged(
    by statement: Statement, _ operation: Int32, of map: EntityMap
  ) throws(StoreError) -> [ObjectKey] {
    let changed = ChangedKeys(operation, map)
    let code = withExtendedLifetime(changed) {
      sqlite3_update_hook(
        database,
        { context, operation, _, table, key in
          guard let context else { return }
          Unmanaged<ChangedKeys>.fromOpaque(context).takeUnretainedValue()
            .note(operation, table, key)
        }, Unmanaged.passUnretained(changed).toOpaque())
      defer { sqlite3_update_hook(database, nil, nil) }
      var code = sqlite3_step(statement.pointer)
      while code == SQLITE_ROW { code = sqlite3_step(statement.pointer) }
      return code
    }
    guard code == SQLITE_DONE else { throw error(code, statement: statement.sql) }
    return changed.keys
  }
}
