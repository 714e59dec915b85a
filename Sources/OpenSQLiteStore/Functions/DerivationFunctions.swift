import COpenSQLite
import Foundation
import OpenObjectModel
import OpenStoreContract

/// The SQL functions that triggers of derived attributes call.
enum DerivationFunctions {
  /// The functions that triggers call to report changed rows. The arguments are the table, the
  /// entity number, the key, the attribute and the value.
  private static let reports = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ]

  /// Registers the functions with a connection, which records their reports.
  static func register(on connection: Connection) {
    // The connection outlives its database, which it closes.
    let owner = Unmanaged.passUnretained(connection).toOpaque()
    let flags = SQLITE_UTF8 | SQLITE_INNOCUOUS
    for name in reports {
      sqlite3_create_function_v2(
        connection.database, name, -1, flags, owner,
        { context, count, arguments in
          guard let context, let arguments, let owner = sqlite3_user_data(context) else { return }
          if count >= 3 {
            Unmanaged<Connection>.fromOpaque(owner).takeUnretainedValue().derivedChanges.append(
              (sqlite3_value_int64(arguments[1]), sqlite3_value_int64(arguments[2])))
          }
          sqlite3_result_null(context)
        }, nil, nil, nil)
    }
    sqlite3_create_function_v2(
      connection.database, "NSCoreDataNow", 0, flags, nil,
      { context, _, _ in
        sqlite3_result_double(context, Date().timeIntervalSinceReferenceDate)
      }, nil, nil, nil)
  }
}

extension Connection {
  /// Returns the rows in which triggers computed values since the last call, without duplicates.
  func takeRecomputedKeys(of model: CompiledModel) -> [ObjectKey] {
    guard !derivedChanges.isEmpty else { return [] }
    defer { derivedChanges.removeAll() }
    var seen: Set<ObjectKey> = []
    return derivedChanges.compactMap { change in
      guard let index = model.entityIndex(numbered: change.entity) else { return nil }
      let key = ObjectKey(entityIndex: index, key: change.key)
      return seen.insert(key).inserted ? key : nil
    }
  }
}
