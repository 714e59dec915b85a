import Foundation
import OpenSQLiteStore

/// The information that can be read from a store's file without the model.
struct FileFacts {
  /// The size of the store's file, in bytes; ``logBytes`` is the size of the write-ahead log.
  let bytes: Int64
  let logBytes: Int64
  /// The journal mode of the file: `wal` or `delete`.
  let journal: String
  let pageSize: OutputValue
  /// The number of transactions in the history; null if the store has no history.
  let transactions: OutputValue
  /// The number of changes in the history; null if the store has no history.
  let changes: OutputValue

  /// - Throws: `ToolError` if the file is not a store.
  init(_ url: URL) throws {
    // The log is next to the file itself, not next to a symbolic link.
    let path = url.resolvingSymlinksInPath().path
    bytes = Self.size(of: path)
    logBytes = Self.size(of: path + "-wal")
    journal = StoreInspection.isLogged(url) ? "wal" : "delete"
    do {
      pageSize = .integer(try StoreInspection.pageSize(ofStoreAt: url))
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
    try StoreInspection.rowCount(of: table, inStoreAt: url).map { .integer($0) } ?? .null
  }
}
