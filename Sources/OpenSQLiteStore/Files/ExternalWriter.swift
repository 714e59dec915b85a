import COpenSQLite
import COpenSupport
import Foundation
import OpenSQLCore
import OpenStoreContract

/// Moves large values to files of their own while a connection writes, and keeps files and rows in step.
///
/// A new value is in its file, on the disk, before the row that names it is committed; the file of an old
/// value is deleted after the commit. A transaction that fails deletes its new files. What a killed program
/// leaves are files that no row names, never rows without file.
/// Confined to its connection, which owns it.
final class ExternalWriter {
  /// Values of more bytes get a file.
  static let threshold = 128 << 10
  private static let freed = "OpenCoreDataExternalValueFreed"

  private let files: ExternalFiles
  private var added: [String] = []
  private var removed: [String] = []
  private var failure: StoreError?
  private var sink = UnsafeMutablePointer<ocd_external_sink>.allocate(capacity: 1)

  init(_ files: StoreFiles) {
    self.files = ExternalFiles(files)
    sink.initialize(
      to: ocd_external_sink(
        context: Unmanaged.passUnretained(self).toOpaque(), threshold: Self.threshold,
        store: { context, bytes, length, reference in
          guard let context, let bytes, let reference else { return SQLITE_MISUSE }
          let writer = Unmanaged<ExternalWriter>.fromOpaque(context).takeUnretainedValue()
          return writer.store(Data(bytes: bytes, count: length), reference)
        }))
  }

  deinit { sink.deallocate() }

  private func store(_ value: Data, _ reference: UnsafeMutablePointer<CChar>) -> Int32 {
    do {
      let name = try files.add(value)
      added.append(name)
      let bytes: [UInt8] = [2] + Array(name.utf8) + [0]
      for (index, byte) in bytes.enumerated() { reference[index] = CChar(bitPattern: byte) }
      return SQLITE_OK
    } catch {
      failure = error
      return SQLITE_IOERR
    }
  }

  /// Runs the statements of a transaction, its commit left out.
  func writing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let previous = ocd_set_external_sink(sink)
    defer { ocd_set_external_sink(previous) }
    do throws(StoreError) {
      let result = try body()
      if !added.isEmpty { try files.syncNames() }
      return result
    } catch {
      throw failure ?? error
    }
  }

  /// Deletes the files of values that are gone, once the transaction is committed.
  func committed() {
    for name in removed { files.remove(name) }
    forget()
  }

  /// Deletes the files of values that are not written after all.
  func rolledBack() {
    for name in added { files.remove(name) }
    forget()
  }

  /// Number of files that the transaction has made so far.
  var addedCount: Int { added.count }

  /// Deletes the files of a row that was bound and then not written.
  func dropAdded(from count: Int) {
    for name in added.dropFirst(count) { files.remove(name) }
    added.removeSubrange(min(count, added.count)...)
  }

  private func forget() {
    added = []
    removed = []
    failure = nil
  }

  /// Learns of every value that a row loses, by triggers that only this connection has.
  func watch(_ schema: SchemaMap, on connection: Connection) throws(StoreError) {
    sqlite3_create_function_v2(
      connection.database, Self.freed, 1, SQLITE_UTF8,
      Unmanaged.passUnretained(self).toOpaque(),
      { context, _, arguments in
        guard let context, let value = arguments?[0], let owner = sqlite3_user_data(context),
          let bytes = sqlite3_value_blob(value),
          ocd_is_external(bytes, Int(sqlite3_value_bytes(value))) != 0
        else { return }
        let name = String(
          decoding: UnsafeRawBufferPointer(start: bytes + 1, count: 36), as: UTF8.self)
        Unmanaged<ExternalWriter>.fromOpaque(owner).takeUnretainedValue().removed.append(name)
      }, nil, nil, nil)
    try connection.silently { () throws(StoreError) in
      for (table, columns) in Self.columns(of: schema).sorted(by: { $0.key < $1.key }) {
        for column in columns.sorted() { try watch(table, column, on: connection) }
      }
    }
  }

  private func watch(
    _ table: String, _ column: String, on connection: Connection
  ) throws(StoreError) {
    let events = ["DELETE", "UPDATE OF \(Self.quoted(column))"]
    for (number, event) in events.enumerated() {
      let name = Self.quoted("OpenCoreData \(table) \(column) \(number)")
      try connection.run(
        """
        CREATE TEMP TRIGGER \(name) AFTER \(event) ON \(Self.quoted(table)) \
        WHEN length(old.\(Self.quoted(column))) = 38 \
        BEGIN SELECT \(Self.freed)(old.\(Self.quoted(column))); END
        """)
    }
  }

  /// The columns whose values may have files, by table.
  static func columns(of schema: SchemaMap) -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for map in schema.entities {
      let tagged = map.columns.filter(\.isTagged).map(\.name)
      if !tagged.isEmpty { columns[map.table, default: []].formUnion(tagged) }
    }
    return columns
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
