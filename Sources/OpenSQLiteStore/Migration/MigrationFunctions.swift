import COpenSQLite
import COpenSupport
import Foundation
import OpenSQLCore
import OpenStoreContract

/// The SQL functions that a migration needs, and the errors that occurred in them.
///
/// Confined to one connection, which this object must outlive.
final class MigrationFunctions {
  private let files: ExternalFiles
  private let history: HistoryMigration
  /// The reason why a function failed, which SQLite does not report.
  private(set) var failure: StoreError?
  private static let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY

  /// - Parameter files: The location of the source's external values.
  init(_ files: ExternalFiles, _ history: HistoryMigration) {
    self.files = files
    self.history = history
  }

  /// Registers the functions with a connection.
  func register(on connection: Connection) {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_create_function_v2(
      connection.database, MigrationFunction.tagged, 1, Self.flags, owner,
      { context, _, arguments in
        guard let value = MigrationFunctions.data(arguments?[0]) else {
          return sqlite3_result_null(context)
        }
        MigrationFunctions.give(Data([1]) + value, to: context)
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      connection.database, MigrationFunction.untagged, 1, Self.flags, owner,
      { context, _, arguments in
        guard let value = MigrationFunctions.data(arguments?[0]),
          let functions = MigrationFunctions.owner(of: context)
        else { return sqlite3_result_null(context) }
        functions.untag(value, context)
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      connection.database, MigrationFunction.mask, 2, Self.flags, owner,
      { context, _, arguments in
        guard let mask = MigrationFunctions.data(arguments?[1]),
          let functions = MigrationFunctions.owner(of: context)
        else { return sqlite3_result_null(context) }
        let number = sqlite3_value_int64(arguments?[0])
        MigrationFunctions.give(functions.history.mask(mask, of: number), to: context)
      }, nil, nil, nil)
  }

  private func untag(_ value: Data, _ context: OpaquePointer?) {
    do throws(StoreError) {
      if let name = ExternalFiles.name(in: value) {
        return Self.give(try files.value(named: name), to: context)
      }
      // A value without a tag is damaged, and is returned unchanged.
      Self.give(value.first == 1 ? Data(value.dropFirst()) : value, to: context)
    } catch {
      failure = error
      sqlite3_result_error_code(context, SQLITE_ABORT)
    }
  }

  private static func owner(of context: OpaquePointer?) -> MigrationFunctions? {
    sqlite3_user_data(context).map {
      // The migration keeps the functions as long as its connection is open.
      Unmanaged<MigrationFunctions>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Returns the bytes of a value, or nil for NULL.
  private static func data(_ value: OpaquePointer?) -> Data? {
    guard let value, sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    guard let bytes = sqlite3_value_blob(value) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value)))
  }

  private static func give(_ data: Data, to context: OpaquePointer?) {
    data.withUnsafeBytes { ocd_result_blob(context, $0.baseAddress, $0.count) }
  }
}
