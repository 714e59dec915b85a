import Foundation
import OpenPredicates
import OpenSQLiteStore

/// What a store's file says of itself without its model.
struct FileFacts {
  /// Sizes of the file and of its log.
  let bytes: Int64
  let logBytes: Int64
  /// How changes get into the file: through a log, or in place.
  let journal: String
  let pageSize: OutputValue
  /// The number of transactions that history keeps; null without history.
  let transactions: OutputValue
  /// The number of changes that history keeps; null without history.
  let changes: OutputValue

  /// - Throws: `StoreError` for a file that is no store.
  init(_ url: URL) throws {
    bytes = Self.size(of: url.path)
    logBytes = Self.size(of: url.path + "-wal")
    journal = StoreInspection.isLogged(url) ? "wal" : "delete"
    do {
      pageSize = try Self.integer("PRAGMA page_size", url)
      transactions = try Self.count(of: "ATRANSACTION", url)
      changes = try Self.count(of: "ACHANGE", url)
    } catch {
      throw ToolError(.unreadable, "\(url.path): \(InspectedStore.sentence(for: error))")
    }
  }

  private static func size(of path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)  // often missing
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  private static func count(of table: String, _ url: URL) throws -> OutputValue {
    let found = try integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'", url)
    return found == .integer(1) ? try integer("SELECT count(*) FROM \(table)", url) : .null
  }

  private static func integer(_ sql: String, _ url: URL) throws -> OutputValue {
    let rows = try StoreInspection.rows(of: sql, inStoreAt: url)
    guard case .int(let integer) = rows.first?.first else { return .null }
    return .integer(integer)
  }
}
