package import Foundation
import OpenPredicates
import OpenSQLCore
package import OpenStoreContract

extension StoreInspection {
  /// Returns the size of one page of the database, in bytes.
  ///
  /// - Parameter url: The URL of the store's file.
  /// - Throws: `StoreError` with code `.missingFile` if the file does not exist, with code
  ///   `.foreignFile` if the file is not a store, or with another code if the file cannot be read.
  package static func pageSize(ofStoreAt url: URL) throws(StoreError) -> Int64 {
    try integer("PRAGMA page_size", url)
  }

  /// Returns the number of rows in a table.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - url: The URL of the store's file.
  /// - Returns: The number; nil if the database does not have the table.
  /// - Throws: `StoreError` with code `.missingFile` if the file does not exist, with code
  ///   `.foreignFile` if the file is not a store, or with another code if the file cannot be read.
  package static func rowCount(
    of table: String, inStoreAt url: URL
  ) throws(StoreError) -> Int64? {
    let tables = try names("SELECT name FROM sqlite_master WHERE type = 'table'", url)
    guard tables.contains(table) else { return nil }
    return try integer("SELECT count(*) FROM \(identifier(table))", url)
  }

  /// Returns the number of all objects, counted in the tables of the entities without a parent
  /// entity.
  ///
  /// - Parameter url: The URL of the store's file.
  /// - Throws: `StoreError` with code `.missingFile` if the file does not exist, with code
  ///   `.foreignFile` if the file is not a store, or with another code if the file cannot be read.
  package static func objectCount(inStoreAt url: URL) throws(StoreError) -> Int64 {
    let tables = try names(
      """
      SELECT name FROM sqlite_master WHERE type = 'table' AND name IN \
      (SELECT 'Z' || upper(Z_NAME) FROM Z_PRIMARYKEY WHERE ifnull(Z_SUPER, 0) = 0)
      """, url)
    var count: Int64 = 0
    for table in tables { count += try integer("SELECT count(*) FROM \(identifier(table))", url) }
    return count
  }

  private static func integer(_ sql: String, _ url: URL) throws(StoreError) -> Int64 {
    guard case .int(let integer) = try rows(of: sql, inStoreAt: url).first?.first else {
      throw StoreError(
        .corrupt, "SQLite did not return a number.", path: url.path, statement: sql)
    }
    return integer
  }

  private static func names(_ sql: String, _ url: URL) throws(StoreError) -> [String] {
    try rows(of: sql, inStoreAt: url).compactMap { row in
      if case .string(let name) = row.first { name } else { nil }
    }
  }

  private static func identifier(_ name: String) -> String { SQLiteDialect().quoted(name) }
}
